// Package process makes the HTML of texts in a process of its own, for functions on AWS. A function
// that linked package richtext would take a third longer to start, for requests that most sites
// never send; and only a process can be stopped when a text takes too long.
package process

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"headless/pkg/markdown"
)

// Program is the name of the program beside that of a function.
const Program = "richtext"

// startLimit is how long the process may take to start.
const startLimit = 5 * time.Second

// Maker makes HTML with one process, which it starts at the first use and keeps.
type Maker struct {
	path string

	mu      sync.Mutex // held while the process works
	running *running   // nil: none
}

// New returns a Maker of the program at a path. An empty path is the one beside this program.
func New(path string) *Maker { return &Maker{path: path} }

// HTML is a markdown.HTML. Error: the process cannot be started, or ended.
func (m *Maker) HTML(_ context.Context, texts []markdown.Text) ([][]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := make([][]string, len(texts))
	left, size := markdown.TotalLimit, 0
	for i, t := range texts {
		if left <= 0 || size > markdown.SizeLimit {
			all[i] = t.AsText()
			continue
		}
		var err error
		if all[i], err = m.one(t, &left); errors.Is(err, os.ErrDeadlineExceeded) {
			all[i] = t.AsText()
		} else if err != nil {
			return nil, fmt.Errorf("richtext: %w", err)
		}
		for _, piece := range all[i] {
			size += len(piece)
		}
	}
	return all, nil
}

// one makes the HTML of a text, and takes the time from what is left. If the process has ended since the
// last text, it starts another one.
func (m *Maker) one(t markdown.Text, left *time.Duration) (pieces []string, err error) {
	if m.running != nil {
		if pieces, err = m.exchange(t, left); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			return pieces, err
		}
	}
	r, err := startProcess(m.path)
	if err != nil {
		return nil, err
	}
	m.running = r
	return m.exchange(t, left)
}

// exchange has the process make the HTML of a text. After an error there is no process.
func (m *Maker) exchange(t markdown.Text, left *time.Duration) (pieces []string, err error) {
	begun := time.Now()
	defer func() { *left -= time.Since(begun) }()
	if err = m.running.exchange(t, &pieces, min(markdown.TimeLimit, *left)); err != nil {
		m.running.stopProcess()
		m.running = nil
	}
	return pieces, err
}

// running is a process that works.
type running struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *os.File
	answer *json.Decoder
}

func startProcess(path string) (*running, error) {
	if path == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		path = filepath.Join(filepath.Dir(self), Program)
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path)
	cmd.Env = []string{} // it needs no secret
	cmd.Stdout, cmd.Stderr = childOut, os.Stderr
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	childOut.Close()
	if err != nil {
		out.Close()
		return nil, err
	}
	r := &running{cmd: cmd, in: in, out: out, answer: json.NewDecoder(out)}
	var ready string
	if err := r.readAnswer(&ready, startLimit); err != nil {
		r.stopProcess()
		return nil, fmt.Errorf("start: %w", err)
	}
	return r, nil
}

// exchange sends a value and reads the answer.
func (r *running) exchange(v, answer any, limit time.Duration) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err := r.in.Write(append(raw, '\n')); err != nil {
		return err
	}
	return r.readAnswer(answer, limit)
}

func (r *running) readAnswer(answer any, limit time.Duration) error {
	if err := r.out.SetReadDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	return r.answer.Decode(answer)
}

// stopProcess stops the process.
func (r *running) stopProcess() {
	r.in.Close()
	r.out.Close()
	_ = r.cmd.Process.Kill() // it may have ended by itself
	_ = r.cmd.Wait()
}
