package client

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"headless/scripts/cms/folder"
)

// Session is the content of a session file, which cms login writes.
type Session struct {
	URL   string `json:"url"`
	Token string `json:"token"`
}

var profileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// CheckProfile returns an error for a text that is no name of a profile.
func CheckProfile(name string) error {
	if name != "" && !profileName.MatchString(name) {
		return errors.New("a profile has a name of up to 64 letters, digits, dots, hyphens and underscores")
	}
	return nil
}

// SessionFile returns the path of the session file of a profile, "" for the one without a name.
func SessionFile(profile string) (string, error) {
	dir, err := os.UserConfigDir()
	if profile == "" {
		return filepath.Join(dir, "cms", "session.json"), err
	}
	return filepath.Join(dir, "cms", "profiles", profile+".json"), err
}

// FolderFile returns the path of the session that cms dev keeps in its data folder, by default that of this folder.
func FolderFile(data string) string {
	return filepath.Join(cmp.Or(data, os.Getenv("DATA_DIR"), ".data"), "session.json")
}

// Connect makes a client from the session file of a profile. Without a profile, it looks at the
// environment variables first, then at the session of cms dev in this folder. CMS_URL alone chooses among sessions.
func Connect(profile string) (*Client, error) {
	file, err := SessionFile(profile)
	if err != nil {
		return nil, err
	}
	if profile != "" {
		kept, ok := Read(file)
		if !ok {
			return nil, fmt.Errorf("there is no profile %s: run cms login URL --profile %s", profile, profile)
		}
		return &Client{Root: kept.URL, Token: kept.Token}, nil
	}
	c := &Client{Root: os.Getenv("CMS_URL"), Token: os.Getenv("CMS_TOKEN")}
	if c.Token == "" && c.Root != "" && os.Getenv("CMS_EMAIL") != "" {
		return c, c.Login(os.Getenv("CMS_EMAIL"), os.Getenv("CMS_PASSWORD"))
	}
	if c.Token != "" && c.Root != "" {
		return c, nil
	}
	err = errors.New("set CMS_URL and CMS_TOKEN, or CMS_EMAIL and CMS_PASSWORD, or run cms login, or start cms dev in " +
		"this folder")
	for _, file := range []string{FolderFile(""), file} {
		kept, ok := Read(file)
		if ok && (c.Root == "" || c.Root == kept.URL) {
			return &Client{Root: kept.URL, Token: kept.Token}, nil
		}
		if ok {
			err = fmt.Errorf("you are signed in to %s, not to %[2]s: run cms login %[2]s", kept.URL, c.Root)
		}
	}
	return nil, err
}

// Read reads a session file. ok is false if there is none.
func Read(file string) (s Session, ok bool) {
	raw, err := os.ReadFile(file)
	return s, err == nil && json.Unmarshal(raw, &s) == nil
}

// Keep writes a session file, which nobody else may read.
func Keep(file string, s Session) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := folder.WriteFile(file, raw, 0o600); err != nil {
		return err
	}
	return os.Chmod(file, 0o600)
}
