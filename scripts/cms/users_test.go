package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"headless/pkg/must"
	"headless/scripts/cms/client"
)

// anyCode accepts every exit code.
const anyCode = -1

// output runs a command and returns its output.
func output(t *testing.T, code int, args ...string) string {
	t.Helper()
	var got int
	text := written(t, &os.Stdout, func() { got = run(args) })
	if code != anyCode && got != code {
		t.Fatalf("cms %s: exit %d, want %d:\n%s", strings.Join(args, " "), got, code, text)
	}
	return text
}

// written returns what do writes to a stream, os.Stdout or os.Stderr.
func written(t *testing.T, stream **os.File, do func()) string {
	t.Helper()
	r, w, err := os.Pipe()
	must.Do(t, err)
	printed := make(chan string, 1)
	go func() {
		var b bytes.Buffer
		_, _ = io.Copy(&b, r)
		printed <- b.String()
	}()
	was := *stream
	*stream = w
	defer func() { *stream = was }()
	do()
	w.Close()
	return <-printed
}

func TestKeys(t *testing.T) {
	use(t, serve(t))
	var made struct{ ID, Kind, Secret string }
	if err := json.Unmarshal([]byte(output(t, 0, "keys", "create", "site", "--scopes", "read,write", "--json")),
		&made); err != nil ||
		made.Secret == "" {
		t.Fatalf("made %+v, %v", made, err)
	}
	if text := output(t, 0, "keys", "create", "browser", "--kind", "publishable"); !strings.Contains(text,
		"pub_") || strings.Contains(text, "secret") {
		t.Errorf("a publishable key: %s", text)
	}
	if text := output(t, 0, "keys", "rotate", made.ID); !strings.Contains(text, "sk_") ||
		strings.Contains(text, made.Secret) {
		t.Errorf("rotated: %s", text)
	}
	if text := output(t, 0, "keys", "list"); !strings.Contains(text, "PUBLIC_KEY") ||
		!strings.Contains(text, "read,write") {
		t.Errorf("list: %s", text)
	}
	expect(t, 0, "keys", "delete", made.ID)
	expect(t, 1, "keys", "delete", made.ID)
	expect(t, 1, "keys", "create", "x", "--kind", "open")
	expect(t, 2, "keys", "create")
	if text := output(t, 0, "keys", "list", "--json"); strings.Contains(text, made.ID) {
		t.Errorf("deleted: %s", text)
	}
}

func TestUsers(t *testing.T) {
	address := serve(t)
	use(t, address)
	t.Setenv("ADMIN_PASSWORD", "")
	if text := output(t, 0, "users", "create", "ed@example.com", "--role", "editor"); !strings.Contains(text,
		"with the password") {
		t.Errorf("created: %s", text)
	}
	expect(t, 1, "users", "create", "ed@example.com")
	t.Setenv("ADMIN_PASSWORD", "another long password")
	expect(t, 0, "users", "reset", "Ed@example.com")
	if err := (&client.Client{Root: address}).Login("ed@example.com", "another long password"); err != nil {
		t.Error(err)
	}
	expect(t, 1, "users", "reset", "nobody@example.com")
	if text := output(t, 0, "users", "list"); !strings.Contains(text, "ed@example.com") ||
		!strings.Contains(text, "editor") {
		t.Errorf("list: %s", text)
	}
}

// TestUsersOfData works on a data folder while no server runs.
func TestUsersOfData(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TABLE_NAME", "")
	t.Setenv("ADMIN_PASSWORD", "")
	if text := output(t, 0, "users", "create", "me@example.com", "--data", dir); !strings.Contains(text,
		"with the password") {
		t.Errorf("first: %s", text)
	}
	if text := output(t, 0, "users", "create", "you@example.com", "--data", dir); !strings.Contains(text,
		"nothing was changed") {
		t.Errorf("second: %s", text)
	}
	if text := output(t, 0, "users", "reset", "me@example.com", "--data", dir); !strings.Contains(text,
		"with the password") {
		t.Errorf("reset: %s", text)
	}
	expect(t, 1, "users", "reset", "nobody@example.com", "--data", dir)
	expect(t, 2, "users", "reset", "me@example.com", "--data", dir, "--table", "x")
}
