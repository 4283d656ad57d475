package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"headless/pkg/must"
	"headless/scripts/internal/service"
)

// tools runs the program cms against one service.
type tools struct {
	t      *testing.T
	binary string
	env    []string
}

// run runs a command and gives its standard output; another exit code than want fails the test.
func (c tools) run(want int, args ...string) string {
	c.t.Helper()
	var out, problems bytes.Buffer
	cmd := exec.Command(c.binary, args...)
	// A name of a table would have the program work on stored users without signing in.
	cmd.Env = append(append(os.Environ(), "TABLE_NAME="), c.env...)
	cmd.Stdout, cmd.Stderr = &out, &problems
	err := cmd.Run()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != want {
		c.t.Fatalf("cms %s: %v, want exit %d: %s%s", strings.Join(args, " "), err, want, &out, &problems)
	}
	return out.String()
}

// TestTools works on the service with the program cms, and moves content to a service of another
// kind and back. It comes before the suite, while there are few files to export.
func TestTools(t *testing.T) {
	if afterUpgrade() {
		return // it has run before
	}
	dir := t.TempDir()
	binary := filepath.Join(dir, "bin", "cms")
	if out, err := exec.Command("go", "build", "-o", binary, "headless/scripts/cms").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	root := os.Getenv("E2E_BASE_URL")
	signedIn := tools{t, binary, []string{"CMS_URL=", "CMS_TOKEN=", "CMS_EMAIL=", "CMS_PASSWORD=" +
		adminPassword,
		"HOME=" + dir, "XDG_CONFIG_HOME=" + dir}}
	signedIn.run(0, "login", root, "--email", adminEmail)
	here := tools{t, binary, []string{"CMS_URL=" + root, "CMS_TOKEN=", "CMS_EMAIL=" + adminEmail,
		"CMS_PASSWORD=" + adminPassword}}
	there := service.Start(t)
	other := tools{t, binary, []string{"CMS_URL=" + there, "CMS_TOKEN=", "CMS_EMAIL=" + service.Email,
		"CMS_PASSWORD=" + service.Password}}

	slug := "tools-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	schema := filepath.Join(dir, "schema.json")
	write := func(name, text string) {
		must.Do(t, os.WriteFile(name, []byte(text), 0o600))
	}
	write(schema, `{"models":[{"slug":"`+slug+`","name":"Tools","fields":[{"name":"body","type":"richtext"},`+
		`{"name":"cover","type":"media"},{"name":"next","type":"relation","model":"`+slug+`"}]}]}`)
	signedIn.run(3, "schema", "plan", schema, "--exit-code")
	signedIn.run(0, "schema", "apply", schema)
	signedIn.run(0, "schema", "plan", schema, "--exit-code")
	if text := here.run(0, "types"); !strings.Contains(text, "Tools") {
		t.Errorf("types lack the model: %.300s", text)
	}
	signedIn.run(0, "schema", "pull", "-o", filepath.Join(dir, "pulled.json"))
	useAccounts(t, here, slug)
	pages := filepath.Join(dir, "pages")
	must.Do(t, os.CopyFS(filepath.Join(pages, "images"), os.DirFS("../cms/testdata/markdown/images")))
	write(filepath.Join(pages, "first.md"),
		"---\ntitle: First\ncover: images/dot.png\n---\n![A dot](images/dot.png)\n")
	write(filepath.Join(pages, "second.md"), "---\ntitle: Second\ndraft: true\n---\nSome *text*.\n")
	here.run(0, "import", "markdown", pages, "--model", slug)

	backup, back := filepath.Join(dir, "backup"), filepath.Join(dir, "back")
	here.run(0, "export", backup, "--models", slug)
	other.run(0, "import", backup)
	other.run(0, "export", back)
	if a, b := entriesOf(t, backup, slug), entriesOf(t, back, slug); len(a) < 2 || len(a) != len(b) {
		t.Errorf("%d entries came as %d", len(a), len(b))
	} else {
		for id, entry := range a {
			if b[id] != entry {
				t.Errorf("came as %s, was %s", b[id], entry)
			}
		}
	}
	var report struct{ Created, Updated, Unchanged, Skipped, Failed int }
	text := here.run(0, "import", back, "--json")
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if report.Created+report.Updated+report.Skipped+report.Failed > 0 || report.Unchanged < 2 {
		t.Errorf("back where it came from: %+v", report)
	}
	promote(t, binary, there, root, slug)
}

// promote changes an entry in one service and publishes it in another one by a release.
func promote(t *testing.T, binary, from, to, model string) {
	t.Helper()
	source, target := service.SignIn(t, from), service.SignInAs(t, to, adminEmail, adminPassword)
	var entries []struct{ ID, Title, Status string }
	at := "/admin/models/" + model + "/entries"
	source.Do("GET", at, nil, &entries)
	id := entries[0].ID
	source.Do("PUT", at+"/"+id+"/draft", map[string]any{"title": "Promoted"}, nil)
	var release struct{ ID string }
	source.Do("POST", "/admin/releases", map[string]any{"name": model,
		"items": []any{map[string]any{"model": model, "id": id, "action": "publish"}}}, &release)
	c := tools{t, binary, []string{"CMS_URL=" + from, "CMS_TOKEN=" + source.Token, "CMS_TO_TOKEN=" + target.Token}}
	c.run(0, "promote", "--to", to, "--release", release.ID, "--publish")
	var got struct{ Title, Status string }
	target.Do("GET", at+"/"+id, nil, &got)
	if got.Title != "Promoted" || got.Status != "published" {
		t.Errorf("the other service has %+v", got)
	}
}

// useAccounts makes, lists and removes keys and users.
func useAccounts(t *testing.T, c tools, name string) {
	t.Helper()
	var key struct{ ID, Secret string }
	must.Do(t, json.Unmarshal([]byte(c.run(0, "keys", "create", name, "--json")), &key))
	var turned struct{ Secret string }
	text := c.run(0, "keys", "rotate", key.ID, "--json")
	if err := json.Unmarshal([]byte(text), &turned); err != nil || turned.Secret == key.Secret {
		t.Errorf("the secret stays: %v", err)
	}
	if !strings.Contains(c.run(0, "keys", "list"), name) {
		t.Error("the list of keys lacks the new one")
	}
	c.run(0, "keys", "delete", key.ID)
	if deployed {
		return // no command removes a user
	}
	email := name + "@example.com"
	c.run(0, "users", "create", email, "--role", "viewer")
	c.run(0, "users", "reset", email)
	if !strings.Contains(c.run(0, "users", "list"), email) {
		t.Error("the list of users lacks the new one")
	}
}

// entriesOf are the lines of a model in an export, by id.
func entriesOf(t *testing.T, dir, model string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, model+".jsonl"))
	must.Do(t, err)
	all := map[string]string{}
	for line := range strings.Lines(string(text)) {
		var entry map[string]any
		must.Do(t, json.Unmarshal([]byte(line), &entry))
		delete(entry, "version")
		raw, err := json.Marshal(entry) // with sorted keys
		must.Do(t, err)
		all[entry["id"].(string)] = string(raw)
	}
	return all
}
