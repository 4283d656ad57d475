package main

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"headless/pkg/must"
	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
	"headless/scripts/internal/service"
)

// newHome gives the commands a configuration folder of their own, and no service by environment.
func newHome(t *testing.T) {
	t.Helper()
	home := t.TempDir()
	for name, value := range map[string]string{"XDG_CONFIG_HOME": home, "HOME": home, "CMS_URL": "", "CMS_TOKEN": "",
		"CMS_EMAIL": "", "CMS_PASSWORD": "", "CMS_PROFILE": ""} {
		t.Setenv(name, value)
	}
}

// login runs cms login, with a user who answers in a browser at the path below /admin/device.
func login(t *testing.T, address, answer string, args ...string) error {
	t.Helper()
	cmd := loginCommand(func(page string) {
		u, err := url.Parse(page)
		must.Do(t, err)
		service.SignIn(t, address).Do("POST", "/admin/device/"+answer,
			map[string]string{"user_code": u.Query().Get("user_code")}, nil)
	})
	command.ProfileFlag(cmd)
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	cmd.SetArgs(append([]string{address}, args...))
	return cmd.Execute()
}

// TestLoginByBrowser keeps what a user approved, one session for each profile.
func TestLoginByBrowser(t *testing.T) {
	first, second := serve(t), serve(t)
	newHome(t)
	if err := login(t, first, "deny"); err == nil {
		t.Error("a denied program is signed in")
	}
	expect(t, exitFailed, "keys", "list")
	must.Do(t, login(t, first, "approve"))
	must.Do(t, login(t, second, "approve", "--profile", "second"))
	expect(t, 0, "keys", "create", "one")
	expect(t, 0, "--profile", "second", "keys", "create", "two")
	for _, profile := range []string{"", "second"} {
		file, err := client.SessionFile(profile)
		must.Do(t, err)
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the session file: %v, %v", info, err)
		}
	}
	for address, want := range map[string]string{first: "one", second: "two"} {
		var keys []struct{ Name string }
		service.SignIn(t, address).Do("GET", "/admin/keys", nil, &keys)
		if len(keys) != 2 || keys[0].Name != "First key" || keys[1].Name != want {
			t.Errorf("keys of %s: %v", want, keys)
		}
	}
	t.Setenv("CMS_URL", first)
	t.Setenv("CMS_TOKEN", "wrong")
	expect(t, 0, "--profile", "second", "keys", "list") // the profile is asked, not the environment
	t.Setenv("CMS_PROFILE", "second")
	expect(t, 0, "keys", "list")
	expect(t, exitFailed, "--profile", "third", "keys", "list")
	for _, name := range []string{"../x", ".", "a/b"} {
		expect(t, exitUsage, "--profile", name, "keys", "list")
	}
	if _, err := os.Stat(filepath.Join(os.Getenv("HOME"), "cms", "profiles", "third.json")); !os.IsNotExist(err) {
		t.Error(err)
	}
}

// TestLoginNotKept signs in where no session can be kept: the service has no session of the program either.
func TestLoginNotKept(t *testing.T) {
	address := serve(t)
	newHome(t)
	home := filepath.Join(t.TempDir(), "file")
	must.Do(t, os.WriteFile(home, nil, 0o600))
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("HOME", home)
	if err := login(t, address, "approve"); err == nil {
		t.Error("no error")
	}
	var sessions []struct {
		UserAgent string `json:"user_agent"`
	}
	service.SignIn(t, address).Do("GET", "/admin/sessions", nil, &sessions)
	for _, s := range sessions {
		if s.UserAgent == programName() {
			t.Errorf("sessions: %v", sessions)
		}
	}
}
