package clients_test

import (
	"bufio"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"headless/pkg/must"
	"headless/scripts/internal/service"
)

// TestMCP has the official clients of the Model Context Protocol enter by OAuth in the name of a user
// who allows the level draft, list the tools, and read an entry (extensions §17). They are in TOOLS,
// where scripts/tools/openapi.sh installs them.
func TestMCP(t *testing.T) {
	tools := os.Getenv("TOOLS")
	if tools == "" {
		return // make test-openapi
	}
	root := service.Start(t)
	admin := service.SignIn(t, root)
	admin.Do("POST", "/admin/models", map[string]any{"slug": "posts", "name": "Posts", "fields": []any{
		map[string]any{"name": "body", "type": "richtext"}}}, nil)
	entry := addPost(admin, "Hello agents", "Text")
	dir := t.TempDir()
	must.Do(t, os.CopyFS(dir, os.DirFS("testdata/mcp")))
	// The program is of another module, so it has no name of Go's before.
	must.Do(t, os.Rename(filepath.Join(dir, "main.go.txt"), filepath.Join(dir, "main.go")))
	must.Do(t, os.Symlink(filepath.Join(tools, "mcp", "node_modules"), filepath.Join(dir, "node_modules")))
	const redirect = "http://127.0.0.1:49152/callback"
	for name, command := range map[string][]string{"Go": {"go", "run", "."}, "TypeScript": {"node", "agent.mjs"}} {
		t.Run(name, func(t *testing.T) {
			agent := exec.CommandContext(t.Context(), command[0], command[1:]...)
			agent.Dir, agent.Env = dir, append(os.Environ(), "CMS_URL="+root, "ENTRY="+entry, "REDIRECT="+redirect,
				"GOFLAGS=-mod=mod", "GOWORK=off")
			said := converse(t, agent, func(page string) (to string) {
				to = allow(t, root, admin.Token, page)
				if !strings.HasPrefix(to, redirect+"?") {
					t.Errorf("the consent leads to %q", to)
				}
				return to
			})
			if !slices.Contains(said, "tool write_draft") || slices.Contains(said, "tool publish") {
				t.Errorf("the tools of the level draft: %q", said)
			}
			if last := said[len(said)-1]; !strings.HasPrefix(last, "text ") || !strings.Contains(last, "Hello agents") {
				t.Errorf("the entry: %s", last)
			}
		})
	}
}

// converse runs a program, answers its first line, and returns the others.
func converse(t *testing.T, program *exec.Cmd, reply func(line string) string) (lines []string) {
	t.Helper()
	var faults strings.Builder
	program.Stderr = &faults
	in, err := program.StdinPipe()
	must.Do(t, err)
	out, err := program.StdoutPipe()
	must.Do(t, err)
	must.Do(t, program.Start())
	read := bufio.NewScanner(out)
	read.Buffer(nil, 1<<20)
	if read.Scan() {
		_, err = io.WriteString(in, reply(read.Text())+"\n")
	}
	for read.Scan() {
		lines = append(lines, read.Text())
	}
	if ended := program.Wait(); ended != nil || err != nil || len(lines) == 0 {
		t.Fatalf("%v %v: %q\n%s", ended, err, lines, faults.String())
	}
	return lines
}

var hiddenField = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)

// allow opens the page that asks a user who is signed in, allows the level draft and returns where
// that leads.
func allow(t *testing.T, root, session, page string) (to string) {
	t.Helper()
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	open := func(method, address, body string) (location, text string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
		must.Do(t, err)
		req.Header.Set("Accept", "text/html")
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.AddCookie(&http.Cookie{Name: "headless_session", Value: session})
		resp, err := browser.Do(req)
		must.Do(t, err)
		defer resp.Body.Close()
		raw, err := io.ReadAll(resp.Body)
		must.Do(t, err)
		return resp.Header.Get("Location"), string(raw)
	}
	consent, _ := open("GET", page, "")
	if strings.HasPrefix(consent, "/") {
		consent = root + consent
	}
	_, text := open("GET", consent, "")
	form := url.Values{"level": {"draft"}, "decision": {"allow"}}
	for _, field := range hiddenField.FindAllStringSubmatch(text, -1) {
		form.Set(field[1], html.UnescapeString(field[2]))
	}
	to, text = open("POST", root+"/admin/grants/authorize", form.Encode())
	if to == "" {
		t.Fatalf("the page of the consent answers: %.500s", text)
	}
	return to
}
