package client

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// DeviceLogin is a sign-in that waits for its user to approve it (RFC 8628).
type DeviceLogin struct {
	DeviceCode  string `json:"device_code"`
	UserCode    string `json:"user_code"`
	CompleteURI string `json:"verification_uri_complete"`
	ExpiresIn   int    `json:"expires_in"` // in seconds
	Interval    int    `json:"interval"`   // in seconds
}

// LoginByDevice signs in with the approval of a user in a browser. show tells the user where to give
// it. name is the name of this program.
func (c *Client) LoginByDevice(ctx context.Context, name string, show func(DeviceLogin)) error {
	var d DeviceLogin
	if err := c.JSON(http.MethodPost, "/admin/device", map[string]string{"name": name}, &d); err != nil {
		return err
	}
	show(d)
	var in struct {
		Token string `json:"token"`
	}
	ctx, stop := context.WithTimeout(ctx, time.Duration(d.ExpiresIn)*time.Second)
	defer stop()
	err := awaitApproval(ctx, time.Duration(d.Interval)*time.Second, func() error {
		return c.JSON(http.MethodPost, "/admin/device/token", map[string]string{"device_code": d.DeviceCode}, &in)
	})
	c.Token = in.Token
	return err
}

// slowDown is how much longer a program waits between questions after it was told to (RFC 8628 §3.5).
const slowDown = 5 * time.Second

// awaitApproval asks until the user has decided, and returns nil for an approval.
func awaitApproval(ctx context.Context, interval time.Duration, ask func() error) error {
	for {
		var refused *Error
		err := ask()
		switch {
		case err == nil || !errors.As(err, &refused):
			return err
		case refused.Code == "SLOW_DOWN":
			interval += slowDown
		case refused.Code != "AUTHORIZATION_PENDING":
			return err
		}
		select {
		case <-ctx.Done():
			return errors.New("nobody approved the sign-in in time")
		case <-time.After(interval):
		}
	}
}
