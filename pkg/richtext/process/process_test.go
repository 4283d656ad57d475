package process

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headless/pkg/markdown"
	"headless/pkg/must"
	"headless/pkg/richtext"
)

// TestMain is the program, too: it makes HTML if it is started as such.
func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case Program:
		if err := richtext.Serve(os.Stdin, os.Stdout); err != nil {
			os.Exit(1)
		}
	case "silent":
		os.Stdout.WriteString("\"ready\"\n")
		io.Copy(io.Discard, os.Stdin)
	case "ending":
		os.Stdout.WriteString("\"ready\"\n")
		os.Stdout.Close()
		io.Copy(io.Discard, os.Stdin)
	default:
		os.Exit(m.Run())
	}
}

// program returns the path of a program that TestMain is.
func program(t *testing.T, name string) string {
	self, err := os.Executable()
	must.Do(t, err)
	path := filepath.Join(t.TempDir(), name)
	if err := os.Symlink(self, path); err != nil {
		t.Skip("no links:", err)
	}
	return path
}

func TestHTML(t *testing.T) {
	m := New(program(t, Program))
	texts := []markdown.Text{{Pieces: []string{"# A", "# A"}}, {Pieces: []string{strings.Repeat("ä ", 300000)}},
		{Pieces: []string{"![](/x) [a](cms://entry/1)"}, Pictures: map[string]markdown.Picture{"/x": {Alt: "X"}}}, {}}
	want, err := richtext.Local(context.Background(), texts)
	must.Do(t, err)
	for range 2 {
		got, err := m.HTML(context.Background(), texts)
		must.Do(t, err)
		for i := range want {
			if strings.Join(got[i], "|") != strings.Join(want[i], "|") {
				t.Errorf("text %d: got %.200q, want %.200q", i, got[i], want[i])
			}
		}
	}
	first := m.running.cmd.Process.Pid
	must.Do(t, m.running.cmd.Process.Kill())
	if got, err := m.HTML(context.Background(), texts); err != nil || got[0][0] != want[0][0] ||
		m.running.cmd.Process.Pid == first {
		t.Error("the process is not started anew:", got, err)
	}
}

func TestSlowText(t *testing.T) {
	m := New(program(t, "silent"))
	texts := make([]markdown.Text, 20) // more than the limit of all leaves time for
	for i := range texts {
		texts[i].Pieces = []string{"<a>"}
	}
	begun := time.Now()
	got, err := m.HTML(context.Background(), texts)
	if took := time.Since(begun); err != nil || m.running != nil || took > 10*markdown.TimeLimit {
		t.Error(err, m.running, took)
	}
	for _, pieces := range got {
		if pieces[0] != "<pre>&lt;a&gt;</pre>\n" {
			t.Error(got)
		}
	}
}

func TestNoProgram(t *testing.T) {
	if _, err := New(filepath.Join(t.TempDir(), "x")).HTML(context.Background(), []markdown.Text{{}}); err == nil ||
		!strings.Contains(err.Error(), exec.ErrNotFound.Error()) && !os.IsNotExist(err) &&
			!strings.Contains(err.Error(), "no such file") {
		t.Error(err)
	}
	if _, err := New(program(t, "ending")).HTML(context.Background(), []markdown.Text{{}}); err == nil {
		t.Error("a process that ends makes HTML")
	}
}
