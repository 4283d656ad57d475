package client

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestAwaitApproval asks every 5 seconds, and more seldom once it was told to.
func TestAwaitApproval(t *testing.T) {
	lost := errors.New("no connection")
	for _, test := range []struct {
		name    string
		answers []error // the last one repeats
		want    time.Duration
		err     bool
	}{
		{"at once", []error{nil}, 0, false},
		{"later", []error{&Error{Code: "AUTHORIZATION_PENDING"}, &Error{Code: "AUTHORIZATION_PENDING"}, nil},
			10 * time.Second, false},
		{"slower", []error{&Error{Code: "SLOW_DOWN"}, &Error{Code: "AUTHORIZATION_PENDING"}, nil}, 20 * time.Second, false},
		{"denied", []error{&Error{Code: "AUTHORIZATION_PENDING"}, &Error{Code: "ACCESS_DENIED"}}, 5 * time.Second, true},
		{"never", []error{&Error{Code: "AUTHORIZATION_PENDING"}}, 10 * time.Minute, true},
		{"lost", []error{lost}, 0, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
				defer stop()
				began, asked := time.Now(), 0
				err := awaitApproval(ctx, 5*time.Second, func() error {
					asked++
					return test.answers[min(asked, len(test.answers))-1]
				})
				if took := time.Since(began); (err != nil) != test.err || took != test.want {
					t.Errorf("%v after %s, want an error %t after %s", err, took, test.err, test.want)
				}
			})
		})
	}
}
