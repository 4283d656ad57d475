package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headless/pkg/must"
	"headless/scripts/cms/client"
)

// runDev runs cms dev with more arguments until end is called. It returns its address, and the lines that it prints
// until it is ready.
func runDev(t *testing.T, args ...string) (address string, printed []string, end func()) {
	t.Helper()
	port := freePort(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		root := rootCommand()
		root.SetArgs(append([]string{"dev", "--port", port}, args...))
		root.SetOut(in)
		err := root.ExecuteContext(ctx)
		in.Close()
		ended <- err
	}()
	address = "http://localhost:" + port
	for lines := bufio.NewScanner(out); ; {
		if !lines.Scan() {
			t.Fatalf("the server says %q", printed)
		}
		if printed = append(printed, lines.Text()); strings.HasPrefix(lines.Text(), "ready "+address) {
			break
		}
	}
	go io.Copy(io.Discard, out)
	return address, printed, func() {
		t.Helper()
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// freePort returns a port that no program uses.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must.Do(t, err)
	listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port
}

// status returns the status of a GET.
func status(t *testing.T, address string) int {
	t.Helper()
	resp, err := http.Get(address)
	must.Do(t, err)
	resp.Body.Close()
	return resp.StatusCode
}

// TestDev runs a service until it is told to end, and calls it.
func TestDev(t *testing.T) {
	address, printed, end := runDev(t, "--data", t.TempDir(), "--seed", "none")
	defer end()
	if got := status(t, address+"/api/v1/ping"); got != http.StatusUnauthorized && got != http.StatusOK ||
		len(printed) != 1 {
		t.Errorf("ping: %d; printed %q", got, printed)
	}
}

// TestDevTwice says what keeps a second service from its port and its data.
func TestDevTwice(t *testing.T) {
	dir := t.TempDir()
	address, _, end := runDev(t, "--data", dir, "--seed", "none")
	defer end()
	for port, says := range map[string]string{address[strings.LastIndex(address, ":")+1:]: "set PORT to another",
		"": "another process has it open"} {
		if port == "" {
			port = freePort(t)
		}
		said := written(t, &os.Stderr,
			func() { expect(t, exitFailed, "dev", "--port", port, "--data", dir, "--seed", "none") })
		if !strings.Contains(said, says) {
			t.Errorf("%q, want %q", said, says)
		}
	}
}

// TestDevLoadsContent starts a service in a new site: it loads the site's content once, and the site has a key.
func TestDevLoadsContent(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	expect(t, 0, "init", dir)
	t.Chdir(dir)
	env := func() string {
		text, err := os.ReadFile(".env")
		must.Do(t, err)
		return string(text)
	}
	address, printed, end := runDev(t, "--content", "content")
	_, key, _ := strings.Cut(strings.TrimSpace(env()), "CMS_PUBLIC_KEY=")
	if key == "" || !strings.Contains(env(), "CMS_URL="+address+"\n") ||
		printed[0] != "Loaded content. CMS_PUBLIC_KEY is in .env." {
		t.Errorf("printed %q, .env is %q", printed, env())
	}
	if got := status(t, address+"/delivery/v1/"+key+"/posts/hello"); got != http.StatusOK {
		t.Errorf("the post: %d", got)
	}
	end()
	was := env()
	moved, printed, end := runDev(t, "--content", "content")
	defer end()
	if len(printed) != 1 || env() != strings.Replace(was, address, moved, 1) {
		t.Errorf("a second start prints %q, .env is %q", printed, env())
	}
}

// TestDevKeepsSession runs commands in the folder of a service without a login, also after it has moved to another
// port.
func TestDevKeepsSession(t *testing.T) {
	picture, err := filepath.Abs("testdata/markdown/images/dot.png")
	must.Do(t, err)
	dir := filepath.Join(t.TempDir(), "site")
	expect(t, 0, "init", dir)
	t.Chdir(dir)
	newHome(t)
	expect(t, exitFailed, "types")
	address, _, end := runDev(t, "--content", "content")
	expect(t, 0, "types", "-o", "types.ts")
	expect(t, 0, "schema", "plan", "content/schema.json", "--exit-code")
	expect(t, 0, "keys", "create", "agent", "--scopes", "read,write,publish", "--role", "admin")
	expect(t, 0, "files", "put", picture)
	expect(t, 0, "doctor")
	kept, ok := client.Read(client.FolderFile(""))
	if info, err := os.Stat(client.FolderFile("")); err != nil || !ok || kept.URL != address ||
		info.Mode().Perm() != 0o600 {
		t.Errorf("kept %+v, %v, %v", kept, info, err)
	}
	if ignored, err := os.ReadFile(".data/.gitignore"); err != nil || string(ignored) != "*\n" {
		t.Errorf("git ignores %q of the data, %v", ignored, err)
	}
	t.Setenv("CMS_URL", "https://cms.example.com") // has no session
	expect(t, exitFailed, "types")
	t.Setenv("CMS_URL", "")
	end()
	if said := written(t, &os.Stderr,
		func() { expect(t, exitFailed, "types") }); !strings.Contains(said, "cms dev starts") {
		t.Errorf("without a service it says %q", said)
	}

	moved, _, end := runDev(t, "--content", "content")
	expect(t, 0, "types", "-o", "types.ts")
	if env, err := os.ReadFile(".env"); err != nil || !strings.Contains(string(env), "CMS_URL="+moved+"\n") {
		t.Errorf("after a move .env is %q, %v", env, err)
	}
	var tokens []struct{ ID string }
	c, err := client.Connect("")
	if err == nil {
		err = c.JSON("GET", "/admin/tokens", nil, &tokens)
	}
	if err == nil && len(tokens) == 1 {
		err = c.JSON("DELETE", "/admin/tokens/"+tokens[0].ID, nil, nil)
	}
	end()
	if err != nil || len(tokens) != 1 {
		t.Fatal(tokens, err)
	}
	_, _, end = runDev(t, "--content", "content")
	defer end()
	if _, ok := client.Read(client.FolderFile("")); ok {
		t.Error("a session that has ended is kept")
	}
}

// TestDevWithoutContent starts although the folder to load is missing, and says how to go on.
func TestDevWithoutContent(t *testing.T) {
	t.Chdir(t.TempDir())
	said := written(t, &os.Stderr, func() {
		_, _, end := runDev(t, "--content", "none")
		end()
	})
	if !strings.Contains(said, "none was not loaded") || !strings.Contains(said, "cms import none") {
		t.Errorf("it says %q", said)
	}
}
