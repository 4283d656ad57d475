package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// client calls the admin area of one service.
type client struct {
	root  string
	token string
}

// answer is the envelope of every answer.
type answer struct {
	Data  json.RawMessage `json:"data"`
	Meta  json.RawMessage `json:"meta"`
	Error *apiError       `json:"error"`
}

// apiError is a refusal of the service.
type apiError struct {
	Code    string              `json:"code"`
	Message string              `json:"message"`
	Details map[string][]string `json:"details"`
}

func (e *apiError) Error() string {
	text := e.Code + ": " + e.Message
	for path, messages := range e.Details {
		text += "\n  " + path + ": " + strings.Join(messages, "; ")
	}
	return text
}

// session is what login keeps.
type session struct {
	URL   string `json:"url"`
	Token string `json:"token"`
}

func sessionFile() (string, error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "cms", "session.json"), err
}

// connect makes a client from the environment, else from what login kept.
func connect() (*client, error) {
	c := &client{root: os.Getenv("CMS_URL"), token: os.Getenv("CMS_TOKEN")}
	if c.token == "" && c.root != "" && os.Getenv("CMS_EMAIL") != "" {
		return c, c.login(os.Getenv("CMS_EMAIL"), os.Getenv("CMS_PASSWORD"))
	}
	if c.token != "" && c.root != "" {
		return c, nil
	}
	file, err := sessionFile()
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(file)
	var kept session
	if err != nil || json.Unmarshal(raw, &kept) != nil {
		return nil, errors.New("set CMS_URL and CMS_TOKEN, or CMS_EMAIL and CMS_PASSWORD, or run cms login")
	}
	if c.root != "" && c.root != kept.URL {
		return nil, fmt.Errorf("you are signed in to %s, not to %s", kept.URL, c.root)
	}
	return &client{kept.URL, kept.Token}, nil
}

// login signs in with an address and a password.
func (c *client) login(email, password string) error {
	var in struct {
		Token string `json:"token"`
	}
	body := map[string]string{"email": email, "password": password}
	if err := c.json(http.MethodPost, "/admin/login", body, &in); err != nil {
		return err
	}
	c.token = in.Token
	return nil
}

// json sends a body, nil for none, and decodes the data of the answer.
func (c *client) json(method, path string, body, into any) error {
	var raw []byte
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			return err
		}
	}
	a, err := c.send(method, path, "application/json", raw)
	if err != nil || into == nil || len(a.Data) == 0 {
		return err
	}
	return json.Unmarshal(a.Data, into)
}

// maxTries is how often a request is sent while the service is busy.
const maxTries = 6

// send makes a request, and again while the service is busy.
func (c *client) send(method, path, contentType string, body []byte) (*answer, error) {
	for try := 1; ; try++ {
		a, wait, err := c.once(method, path, contentType, body)
		if try == 1 && c.confirmed(err) {
			continue
		}
		if wait == 0 || try == maxTries {
			return a, err
		}
		time.Sleep(wait)
	}
}

// confirmed confirms the session of cms login with CMS_PASSWORD where a request was refused for the
// lack of that, and reports whether it did. Otherwise the error says what to do.
func (c *client) confirmed(err error) bool {
	var refused *apiError
	if !errors.As(err, &refused) || refused.Code != "CONFIRMATION_REQUIRED" {
		return false
	}
	if password := os.Getenv("CMS_PASSWORD"); password != "" {
		body, _ := json.Marshal(map[string]string{"password": password}) // texts can be encoded
		if _, _, err := c.once(http.MethodPost, "/admin/confirm", "application/json", body); err == nil {
			return true
		}
	}
	refused.Message = "You signed in a while ago. Set CMS_PASSWORD, or run cms login again. Access " +
		"tokens (CMS_TOKEN) need neither."
	return false
}

// once makes one request; wait is when to try again, 0 for not.
func (c *client) once(method, path, contentType string, body []byte) (a *answer, wait time.Duration,
	err error) {
	req, err := http.NewRequest(method, strings.TrimSuffix(c.root, "/")+path, bytes.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", contentType)
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, 0, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, 0, err
	}
	a = &answer{}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, a); err != nil {
			return nil, 0, fmt.Errorf("%s %s: %s", method, path, resp.Status)
		}
	}
	if resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusServiceUnavailable {
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		wait = time.Duration(max(1, seconds)) * time.Second
	}
	if a.Error != nil {
		return a, wait, a.Error
	}
	return a, 0, nil
}
