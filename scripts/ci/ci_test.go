// Package ci tests the shell scripts of this folder with programs that stand in for AWS's.
package ci

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// checkout is a folder with the scripts, in which the programs that they call only note their
// arguments.
type checkout struct {
	t    *testing.T
	root string
	env  []string
}

func newCheckout(t *testing.T) *checkout {
	t.Helper()
	c := &checkout{t: t, root: t.TempDir()}
	for _, path := range []string{"samconfig.toml", "template.yaml"} {
		c.copy("../../"+path, path)
	}
	scripts, err := filepath.Glob("*.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range scripts {
		c.copy(path, "scripts/ci/"+path)
	}
	c.program("bin/go", "")
	c.program("scripts/tools/sam.sh", "")
	c.env = append(os.Environ(), "PATH="+filepath.Join(c.root, "bin")+":"+os.Getenv("PATH"),
		"CALLS="+filepath.Join(c.root, "calls"), "ROOT="+c.root)
	return c
}

func (c *checkout) copy(from, to string) {
	c.t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		c.t.Fatal(err)
	}
	c.write(to, string(text))
}

func (c *checkout) write(path, text string) {
	c.t.Helper()
	path = filepath.Join(c.root, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		c.t.Fatal(err)
	}
}

// program makes a stand-in that notes its arguments and then runs a few lines of shell.
func (c *checkout) program(path, lines string) {
	c.t.Helper()
	c.write(path, "#!/bin/sh\necho \"$(basename \"$0\") $*\" >>\"$CALLS\"\n"+lines+"\n")
}

// run runs a script and returns what it printed and the calls that it made.
func (c *checkout) run(wantOK bool, script string, args ...string) (printed, calls string) {
	c.t.Helper()
	path := filepath.Join(c.root, "calls")
	os.Remove(path)
	cmd := exec.Command(filepath.Join(c.root, "scripts/ci", script), args...)
	cmd.Dir, cmd.Env = c.root, c.env
	out, err := cmd.CombinedOutput()
	text, _ := os.ReadFile(path)
	if (err == nil) != wantOK {
		c.t.Fatalf("%s %s: %v\n%s\ncalls:\n%s", script, strings.Join(args, " "), err, out, text)
	}
	return string(out), string(text)
}

// TestStage: a stage for one change makes no distributions, the code is compared with the
// processor of the stack before it is deployed, and each stage has a folder of its own for code.
func TestStage(t *testing.T) {
	c := newCheckout(t)
	for name, cdn := range map[string]bool{"pr-12": false, "dev": true, "prod": true} {
		_, calls := c.run(true, "stage.sh", "deploy", name)
		deploy := calls[strings.Index(calls, "sam.sh run deploy"):]
		if strings.Contains(deploy, "MediaCdn=false") == cdn {
			t.Errorf("%s: %s", name, deploy)
		}
		if !strings.Contains(deploy, "--s3-prefix headless-"+name+" ") {
			t.Errorf("%s has no folder of its own: %s", name, deploy)
		}
		build, compared := strings.Index(calls, "sam.sh run build"), strings.Index(calls, "go run ./scripts/built")
		if build < 0 || compared < build || compared > strings.Index(calls, "sam.sh run deploy") {
			t.Errorf("%s: the build is not compared before it is deployed:\n%s", name, calls)
		}
	}
	c.program("bin/go", "exit 1")
	if _, calls := c.run(false, "stage.sh", "deploy", "dev"); strings.Contains(calls, "run deploy") {
		t.Errorf("a build for another processor was deployed:\n%s", calls)
	}
	c.run(false, "stage.sh", "deploy", "PROD")
	c.run(false, "stage.sh", "delete", "prod")
}
