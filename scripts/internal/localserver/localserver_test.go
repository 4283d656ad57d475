package localserver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"headless/pkg/app/demo"
	"headless/pkg/app/setup"
	"headless/pkg/must"
)

var curl = regexp.MustCompile(`-H 'X-API-Key: (\S+)' -H 'X-API-Secret: (\S+)' '(\S+)'`)

// start runs the server in a folder and returns its greeting, up to the call with the first key, and
// a way to stop it.
func start(t *testing.T, dir, seed string) (greeting []string, stop func()) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must.Do(t, err)
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	listener.Close()
	vars := map[string]string{"DATA_DIR": dir, "PORT": port, "ADMIN_EMAIL": "owner@example.com", "SEED": seed}
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := Run(ctx, func(name string) string { return vars[name] }, in, nil)
		in.CloseWithError(errors.Join(err, io.EOF))
		ended <- err
	}()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		greeting = append(greeting, lines.Text())
		if curl.MatchString(lines.Text()) {
			break
		}
	}
	go io.Copy(io.Discard, out)
	return greeting, func() {
		t.Helper()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// call makes the call that was printed. Its answer must contain one of some texts.
func call(t *testing.T, greeting []string, texts ...string) {
	t.Helper()
	found := curl.FindStringSubmatch(strings.Join(greeting, "\n"))
	if found == nil {
		t.Fatalf("no call in %q", greeting)
	}
	r, err := http.NewRequest("GET", found[3], nil)
	must.Do(t, err)
	r.Header.Set("X-API-Key", found[1])
	r.Header.Set("X-API-Secret", found[2])
	resp, err := http.DefaultClient.Do(r)
	must.Do(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	contained := slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(string(body), text) })
	if err != nil || resp.StatusCode != http.StatusOK || !contained {
		t.Errorf("%d %v %s", resp.StatusCode, err, body)
	}
}

// exampleSite requests the files of the printed site, and the data that they read.
func exampleSite(t *testing.T, address string) {
	t.Helper()
	page, script := get(t, address), get(t, address+"site.js")
	if !strings.Contains(page, "site.js") || !strings.Contains(script, "load") {
		t.Errorf("%s: %s", address, page)
	}
	var apis struct{ Delivery string }
	must.Do(t, json.Unmarshal([]byte(get(t, address+"config.json")), &apis))
	if posts := get(t, strings.TrimSuffix(address,
		demo.SitePath)+apis.Delivery+"/posts?include=image&images=640"); !strings.Contains(posts,
		"640w") {
		t.Errorf("no picture of 640 pixels in %s", posts)
	}
}

func get(t *testing.T, address string) string {
	t.Helper()
	resp, err := http.Get(address)
	must.Do(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v", address, resp.Status, err)
	}
	return string(body)
}

func TestGreeting(t *testing.T) {
	dir := t.TempDir()
	first, stop := start(t, dir, "demo")
	if !strings.HasPrefix(first[0], "ready http://localhost:") {
		t.Errorf("first line is %q", first[0])
	}
	if all := strings.Join(first, "\n"); !strings.Contains(all, "owner@example.com with the password ") {
		t.Errorf("no password in %q", all)
	}
	call(t, first, "image/svg+xml", `"alt"`)
	page, _, _ := strings.Cut(strings.Join(first, "\n"), demo.SitePath)
	exampleSite(t, page[strings.LastIndex(page, "http"):]+demo.SitePath)
	stop()
	again, stop := start(t, dir, "demo")
	if all := strings.Join(again, "\n"); strings.Contains(all, "password") {
		t.Errorf("a password again: %q", all)
	}
	call(t, again, "image/svg+xml", `"alt"`)
	stop()
}

// TestEmptyGreeting: a service without demo content has a key, too, which every start shows.
func TestEmptyGreeting(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		greeting, stop := start(t, dir, "none")
		call(t, greeting, "export type ID = string")
		stop()
	}
}

func TestIsLocal(t *testing.T) {
	for address, want := range map[string]bool{
		"http://localhost:3000": true, "http://127.0.0.1:3000": true, "http://127.9.9.9": true,
		"http://[::1]:3000": true, "http://cms.localhost": true, "https://cms.example.com": false,
		"http://192.168.0.4:3000": false, "http://localhost.example.com": false, "": false, "::": false,
	} {
		if got := isLocal(address); got != want {
			t.Errorf("%q: %v", address, got)
		}
	}
}

// TestListenAddress: the address is that of the variable.
func TestListenAddress(t *testing.T) {
	vars := map[string]string{"DATA_DIR": t.TempDir(), "PORT": "3999", "LISTEN_ADDRESS": "192.0.2.1"}
	err := Run(t.Context(), func(name string) string { return vars[name] }, io.Discard, nil)
	if err == nil || !strings.Contains(err.Error(), "192.0.2.1") {
		t.Errorf("listening at 192.0.2.1: %v", err)
	}
}

// TestWrongVariables: a server that nobody could use does not start, and says which variable is wrong.
func TestWrongVariables(t *testing.T) {
	for _, wrong := range [][3]string{
		{"SITE_URL", "cms.example.com", `SITE_URL: must be an address such as https://cms.example.com, not "cms.`},
		{"SITE_URL", "ftp://cms.example.com", "SITE_URL"},
		{"MAIL_FROM", "cms", `MAIL_FROM: must be an address such as cms@example.com, not "cms"`},
		{"OIDC_ROLES", "admins", `OIDC_ROLES: "admins" is not group=role`},
		{"MEDIA_BASE_URL", "cdn.example.com", "MEDIA_BASE_URL: must be an address such as https://"},
		{"MEDIA_BASE_URL_FORMER", "https://a.example, cdn", `MEDIA_BASE_URL_FORMER: must be an address such as https://`},
		{"RECAPTCHA_VERIFY_URL", "recaptcha.example.com", "RECAPTCHA_VERIFY_URL: must be an address such as https://"},
		{"UPLOAD_MIMES", "image/*, pdf", `UPLOAD_MIMES: must be types such as image/png or image/*, not "pdf"`},
		{"LISTEN_ADDRESS", "192.0.2.1", "LISTEN_ADDRESS"},
		{"ADMIN_PASSWORD", "short", "ADMIN_PASSWORD: Some fields are missing or invalid. password: must have 12 to 500"},
		{"ADMIN_EMAIL", "nobody", "email: must be an e-mail address"},
	} {
		vars := map[string]string{"DATA_DIR": t.TempDir(), "PORT": "3998", "SEED": "none", wrong[0]: wrong[1]}
		ctx, stop := context.WithCancel(t.Context())
		err := Run(ctx, func(name string) string { return vars[name] }, io.Discard, func(string, setup.FirstUser) { stop() })
		stop()
		if err == nil || !strings.Contains(err.Error(), wrong[2]) {
			t.Errorf("%s=%s: %v", wrong[0], wrong[1], err)
		}
	}
}
