package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Session is the content of the session file, which cms login writes.
type Session struct {
	URL   string `json:"url"`
	Token string `json:"token"`
}

func SessionFile() (string, error) {
	dir, err := os.UserConfigDir()
	return filepath.Join(dir, "cms", "session.json"), err
}

// Connect makes a client from the environment variables, or else from the session file.
func Connect() (*Client, error) {
	c := &Client{Root: os.Getenv("CMS_URL"), Token: os.Getenv("CMS_TOKEN")}
	if c.Token == "" && c.Root != "" && os.Getenv("CMS_EMAIL") != "" {
		return c, c.Login(os.Getenv("CMS_EMAIL"), os.Getenv("CMS_PASSWORD"))
	}
	if c.Token != "" && c.Root != "" {
		return c, nil
	}
	file, err := SessionFile()
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(file)
	var kept Session
	if err != nil || json.Unmarshal(raw, &kept) != nil {
		return nil, errors.New("set CMS_URL and CMS_TOKEN, or CMS_EMAIL and CMS_PASSWORD, or run cms login")
	}
	if c.Root != "" && c.Root != kept.URL {
		return nil, fmt.Errorf("you are signed in to %s, not to %s", kept.URL, c.Root)
	}
	return &Client{kept.URL, kept.Token}, nil
}

// Keep writes the session file, which nobody else may read.
func Keep(s Session) error {
	file, err := SessionFile()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		return err
	}
	return os.Chmod(file, 0o600)
}
