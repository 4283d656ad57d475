package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Client calls the admin area of one service.
type Client struct {
	Root  string
	Token string
}

// Answer is the envelope of every response.
type Answer struct {
	Data  json.RawMessage `json:"data"`
	Meta  json.RawMessage `json:"meta"`
	Error *Error          `json:"error"`
}

// Error is an error response of the service.
type Error struct {
	Code    string              `json:"code"`
	Message string              `json:"message"`
	Details map[string][]string `json:"details"`
}

// gatewayCode is the code of an Error that did not come from the service, but from a gateway in
// front of it, for example after a timeout.
const gatewayCode = "GATEWAY"

// IsGateway reports whether a gateway answered a request instead of the service. The service may
// have carried out the request in part or completely.
func IsGateway(err error) bool {
	var refused *Error
	return errors.As(err, &refused) && refused.Code == gatewayCode
}

func (e *Error) Error() string {
	text := e.Code + ": " + e.Message
	for path, messages := range e.Details {
		text += "\n  " + path + ": " + strings.Join(messages, "; ")
	}
	return text
}

// Login signs in with an e-mail address and a password.
func (c *Client) Login(email, password string) error {
	if email == "" || password == "" {
		return errors.New("a sign-in by password needs CMS_EMAIL and CMS_PASSWORD")
	}
	var in struct {
		Token string `json:"token"`
	}
	body := map[string]string{"email": email, "password": password}
	if err := c.JSON(http.MethodPost, "/admin/login", body, &in); err != nil {
		return err
	}
	c.Token = in.Token
	return nil
}

// JSON sends a request with a JSON body, nil for none, and decodes the data of the response.
func (c *Client) JSON(method, path string, body, into any) error {
	var raw []byte
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			return err
		}
	}
	a, err := c.Send(method, path, "application/json", raw)
	if err != nil || into == nil || len(a.Data) == 0 {
		return err
	}
	return json.Unmarshal(a.Data, into)
}

// maxTries is how often a request is sent at most while the service is busy.
const maxTries = 6

// Send sends a request, and retries it while the service is busy.
func (c *Client) Send(method, path, contentType string, body []byte) (*Answer, error) {
	for try := 1; ; try++ {
		a, wait, err := c.attempt(method, path, contentType, body)
		if try == 1 && c.confirmSession(err) {
			continue
		}
		if wait == 0 || try == maxTries {
			return a, err
		}
		time.Sleep(wait)
	}
}

// confirmSession confirms the session of cms login with CMS_PASSWORD if err says that this is required,
// and reports whether it did. If it cannot, it changes the message of err to say what to do.
func (c *Client) confirmSession(err error) bool {
	var refused *Error
	if !errors.As(err, &refused) || refused.Code != "CONFIRMATION_REQUIRED" {
		return false
	}
	if password := os.Getenv("CMS_PASSWORD"); password != "" {
		body, _ := json.Marshal(map[string]string{"password": password}) // texts can be encoded
		if _, _, err := c.attempt(http.MethodPost, "/admin/confirm", "application/json", body); err == nil {
			return true
		}
	}
	refused.Message = "You signed in a while ago. Set CMS_PASSWORD, or run cms login again. Access " +
		"tokens (CMS_TOKEN) need neither."
	return false
}

// attempt sends one request. wait is the time to wait before a retry, 0 for no retry.
func (c *Client) attempt(method, path, contentType string, body []byte) (a *Answer, wait time.Duration,
	err error) {
	raw, resp, err := c.request(method, path, contentType, body)
	if err != nil {
		return nil, 0, err
	}
	return answerOf(raw, resp, method, path)
}

// CheckAddress returns an error for a text that is not the URL of a website.
func CheckAddress(address string) error {
	if u, err := url.Parse(address); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%q is not a URL such as https://cms.example.com or http://localhost:3000", address)
	}
	return nil
}

// request sends one request and reads the answer.
func (c *Client) request(method, path, contentType string, body []byte) ([]byte, *http.Response, error) {
	req, err := http.NewRequest(method, strings.TrimSuffix(c.Root, "/")+path, bytes.NewReader(body))
	if err == nil {
		err = CheckAddress(c.Root)
	}
	if err != nil {
		return nil, nil, err
	}
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", contentType)
	}
	if c.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.Token)
	}
	resp, err := http.DefaultClient.Do(req)
	var network *net.OpError
	if errors.As(err, &network) && network.Op == "dial" {
		return nil, nil, fmt.Errorf("%s does not answer (%w). Does it run? cms dev starts a service of your own", c.Root, err)
	}
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	return raw, resp, err
}

// answerOf reads the envelope of an answer. wait is the time to wait before a retry, 0 for no retry.
func answerOf(raw []byte, resp *http.Response, method, path string) (a *Answer, wait time.Duration, err error) {
	a = &Answer{}
	isJSON := json.Unmarshal(raw, a) == nil
	if resp.StatusCode >= http.StatusBadRequest && a.Error == nil {
		a.Error = &Error{Code: "HTTP", Message: method + " " + path + ": " + resp.Status}
		if resp.StatusCode >= http.StatusInternalServerError {
			a.Error.Code = gatewayCode
		}
	}
	if len(raw) > 0 && !isJSON && a.Error == nil {
		return nil, 0, fmt.Errorf("%s %s: the answer is no JSON", method, path)
	}
	if a.Error == nil {
		return a, 0, nil
	}
	if resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusServiceUnavailable ||
		a.Error.Code == gatewayCode {
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		wait = time.Duration(max(1, seconds)) * time.Second
	}
	if a.Error.Code == gatewayCode && method != http.MethodGet {
		wait = 0 // only the caller knows whether it can be repeated
	}
	return a, wait, a.Error
}

// IsUnknown reports whether an error says that something does not exist.
func IsUnknown(err error) bool {
	var refused *Error
	return errors.As(err, &refused) && slices.Contains([]string{"NOT_FOUND", "ENTRY_NOT_FOUND",
		"MODEL_NOT_FOUND"}, refused.Code)
}
