package client

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"headless/pkg/cms"
)

// Client calls the admin area of one service.
type Client struct {
	Root   string
	Token  string
	Advice string // follows the message about a refused token; "" names CMS_TOKEN and cms login
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
func IsGateway(err error) bool { return hasCode(err, gatewayCode) }

// hasCode reports whether an error is a response of the service with one of some codes.
func hasCode(err error, codes ...string) bool {
	var refused *Error
	return errors.As(err, &refused) && slices.Contains(codes, refused.Code)
}

// UnmarshalJSON reads an error. The details are messages, or the entries that stand against a change.
func (e *Error) UnmarshalJSON(raw []byte) error {
	var read struct {
		Code, Message string
		Details       map[string]json.RawMessage
	}
	if err := json.Unmarshal(raw, &read); err != nil {
		return err
	}
	*e = Error{Code: read.Code, Message: read.Message, Details: map[string][]string{}}
	for path, detail := range read.Details {
		var places []struct{ Model, ID, Title string }
		if err := json.Unmarshal(detail, &places); err == nil {
			for _, place := range places {
				e.Details[path] = append(e.Details[path], fmt.Sprintf("%s (%s %s)", place.Title, place.Model, place.ID))
			}
			continue
		}
		var messages []string
		if json.Unmarshal(detail, &messages) != nil {
			messages = []string{string(detail)} // such as the number of further entries
		}
		e.Details[path] = messages
	}
	return nil
}

func (e *Error) Error() string {
	text := e.Code + ": " + e.Message
	for _, path := range slices.Sorted(maps.Keys(e.Details)) {
		text += "\n  " + path + ": " + strings.Join(e.Details[path], "; ")
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
	return cms.Unmarshal(a.Data, into)
}

// maxTries is how often a request is sent at most while the service is busy.
const maxTries = 6

// Send sends a request, and retries it while the service is busy.
func (c *Client) Send(method, path, contentType string, body []byte) (*Answer, error) {
	raw, _, err := c.send(method, path, contentType, body)
	var a Answer
	if err == nil && len(raw) > 0 && json.Unmarshal(raw, &a) != nil {
		err = fmt.Errorf("%s %s: the answer is no JSON", method, path)
	}
	return &a, err
}

// send is like Send, and returns the answer as it came.
func (c *Client) send(method, path, contentType string, body []byte) (raw []byte, header http.Header, err error) {
	for try := 1; ; try++ {
		raw, resp, err := c.request(method, path, contentType, body)
		if err != nil {
			return nil, nil, err
		}
		refused, wait := refusal(raw, resp)
		switch {
		case refused != nil && refused.Code == "UNAUTHORIZED" && c.Token != "":
			refused.Message = c.Root + " does not take the token, or it has ended. " +
				cmp.Or(c.Advice, "Set CMS_TOKEN, or run cms login again")
			return nil, nil, refused
		case refused == nil:
			return raw, resp.Header, nil
		case try == 1 && c.confirmSession(refused):
			continue
		case wait == 0 || try == maxTries:
			return nil, nil, refused
		}
		time.Sleep(wait)
	}
}

// confirmSession confirms the session of cms login with CMS_PASSWORD if the service says that this is required,
// and reports whether it did. If it cannot, it changes the message to say what to do.
func (c *Client) confirmSession(refused *Error) bool {
	if refused.Code != "CONFIRMATION_REQUIRED" {
		return false
	}
	if password := os.Getenv("CMS_PASSWORD"); password != "" {
		body, _ := json.Marshal(map[string]string{"password": password}) // texts can be encoded
		_, resp, err := c.request(http.MethodPost, "/admin/confirm", "application/json", body)
		if err == nil && resp.StatusCode < http.StatusBadRequest {
			return true
		}
	}
	refused.Message = "You signed in a while ago. Set CMS_PASSWORD, or run cms login again. Access " +
		"tokens (CMS_TOKEN) need neither."
	return false
}

// checkRoot returns an error for a text that is not the root address of a service.
func checkRoot(address string) error {
	if err := CheckAddress(address); err != nil {
		return err
	}
	if u, _ := url.Parse(address); strings.Trim(u.Path, "/") != "" { // it was parsed above
		return fmt.Errorf("%s has a path; the address of a service is %s://%s", address, u.Scheme, u.Host)
	}
	return nil
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
		err = checkRoot(c.Root)
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
	if network, ok := errors.AsType[*net.OpError](err); ok && network.Op == "dial" {
		return nil, nil, fmt.Errorf("%s does not answer (%w). Does it run? cms dev starts a service of your own", c.Root, err)
	}
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	return raw, resp, err
}

// refusal returns the error that an answer has, nil for none. wait is the time to wait before a retry, 0 for no retry.
func refusal(raw []byte, resp *http.Response) (refused *Error, wait time.Duration) {
	if resp.StatusCode < http.StatusBadRequest {
		return nil, 0
	}
	var a Answer
	if _ = json.Unmarshal(raw, &a); a.Error == nil { // a gateway answers with any text
		req := resp.Request
		a.Error = &Error{Code: "HTTP", Message: req.Method + " " + req.URL.RequestURI() + ": " + resp.Status}
		if resp.StatusCode >= http.StatusInternalServerError {
			a.Error.Code = gatewayCode
		}
	}
	isBusy := resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusServiceUnavailable
	if a.Error.Code == gatewayCode {
		isBusy = resp.Request.Method == http.MethodGet // only the caller knows whether another can be repeated
	}
	if isBusy {
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		wait = time.Duration(max(1, seconds)) * time.Second
	}
	return a.Error, wait
}

// IsUnknown reports whether an error says that something does not exist.
func IsUnknown(err error) bool {
	return hasCode(err, "NOT_FOUND", "ENTRY_NOT_FOUND", "MODEL_NOT_FOUND")
}
