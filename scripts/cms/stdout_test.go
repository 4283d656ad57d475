package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"headless/pkg/must"
)

// lose runs a command whose standard output cannot be written, and returns its message.
func lose(t *testing.T, args ...string) string {
	t.Helper()
	was := os.Stdout
	defer func() { os.Stdout = was }()
	unwritable, err := os.Open(os.DevNull)
	must.Do(t, err)
	defer unwritable.Close()
	os.Stdout = unwritable
	var code int
	said := written(t, &os.Stderr, func() { code = run(args) })
	if code != exitFailed || !strings.Contains(said, "write ") {
		t.Errorf("cms %s: exit %d, %q", strings.Join(args, " "), code, said)
	}
	return said
}

// TestLostOutput runs commands whose standard output cannot be written. They fail, and one that makes a secret says
// how to get another.
func TestLostOutput(t *testing.T) {
	use(t, serve(t))
	file := filepath.Join(t.TempDir(), "schema.json")
	expect(t, 0, "schema", "pull", "-o", file)
	table := filepath.Join(t.TempDir(), "table.csv")
	must.Do(t, os.WriteFile(table, []byte("a,b\n"), 0o600))
	for _, args := range [][]string{{"keys", "list"}, {"users", "list"}, {"schema", "pull"}, {"schema", "plan", file},
		{"types"}, {"doctor"}, {"--help"}, {"--version"}, {"completion", "bash"}, {"listen"},
		{"files", "put", table}} {
		lose(t, args...)
	}
	for _, more := range []string{"--json=false", "--json"} {
		said := lose(t, "keys", "create", "site", more)
		id := regexp.MustCompile(`cms keys rotate (\S+)`).FindStringSubmatch(said)
		if id == nil {
			t.Fatalf("a secret that was not printed: %s", said)
		}
		if got := output(t, 0, "keys", "rotate", id[1]); !strings.Contains(got, "sk_") {
			t.Errorf("the advice leads to %s", got)
		}
	}
	for _, name := range []string{"create", "reset"} {
		if said := lose(t, "users", name, "ed@example.com"); !strings.Contains(said, "cms users reset ed@example.com") {
			t.Errorf("a password that was not printed: %s", said)
		}
	}
	if said := lose(t, "users", "create", "ed@example.com", "--data", t.TempDir()); !strings.Contains(said,
		"cms users reset ed@example.com --data ") {
		t.Errorf("the password of the first user, which was not printed: %s", said)
	}
}

// TestDiscardedOutput says how to get another secret if standard output is discarded, as it is where it was closed.
func TestDiscardedOutput(t *testing.T) {
	use(t, serve(t))
	was := os.Stdout
	defer func() { os.Stdout = was }()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	must.Do(t, err)
	defer null.Close()
	os.Stdout = null
	said := written(t, &os.Stderr, func() { expect(t, 0, "keys", "create", "site") })
	if !strings.Contains(said, "cms keys rotate ") {
		t.Errorf("a secret that nobody saw: %q", said)
	}
}

// TestOutputIsWatched finds commands that go round command.Stdout, which sees that a write failed.
func TestOutputIsWatched(t *testing.T) {
	around := regexp.MustCompile(`os\.Stdout|fmt\.Print`)
	must.Do(t, filepath.WalkDir(".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") ||
			file == filepath.Join("command", "stdout.go") {
			return err
		}
		text, err := os.ReadFile(file)
		if found := around.Find(text); found != nil {
			t.Errorf("%s uses %s: write to command.Stdout", file, found)
		}
		return err
	}))
}
