// Package emulator runs the emulators of AWS services that scripts/tools has.
package emulator

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"headless/scripts/internal/program"
)

// Emulator is an emulator that runs until it is stopped.
type Emulator struct {
	URL string

	name  string
	dir   string // has its log and its data
	cmd   *exec.Cmd
	ended chan error
}

// Start runs scripts/tools/<name>.sh on a free port, with a new folder for its data.
func Start(name string) (*Emulator, error) {
	port, err := program.FreePort()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", name)
	if err != nil {
		return nil, err
	}
	e := &Emulator{URL: "http://127.0.0.1:" + port, name: name, dir: dir, ended: make(chan error, 1)}
	log, err := os.Create(e.log())
	if err != nil {
		return nil, err
	}
	defer log.Close()
	e.cmd = exec.Command("scripts/tools/"+name+".sh", "run", port, filepath.Join(dir, "data"))
	e.cmd.Stdout, e.cmd.Stderr = log, log
	e.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that Stop ends its children
	if err := e.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { e.ended <- e.cmd.Wait() }()
	return e, nil
}

func (e *Emulator) log() string { return filepath.Join(e.dir, "log") }

// Wait waits until the emulator answers at a path.
func (e *Emulator) Wait(ctx context.Context, path string, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for tick := time.NewTicker(100 * time.Millisecond); ; {
		if answers(ctx, e.URL+path) {
			return nil
		}
		select {
		case <-tick.C:
		case err := <-e.ended:
			e.ended <- err // for Stop
			text, _ := os.ReadFile(e.log())
			return fmt.Errorf("%s ended: %v\n%s", e.name, err, text)
		case <-ctx.Done():
			return fmt.Errorf("%s does not answer: %w", e.name, ctx.Err())
		}
	}
}

// answers reports whether a server answers. It may refuse the request, for instance because it has no signature.
func answers(ctx context.Context, address string) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode < http.StatusInternalServerError
}

// Stop ends the emulator and removes its data.
func (e *Emulator) Stop() {
	syscall.Kill(-e.cmd.Process.Pid, syscall.SIGTERM)
	select {
	case <-e.ended:
	case <-time.After(time.Minute): // LocalStack ends its own programs first
		syscall.Kill(-e.cmd.Process.Pid, syscall.SIGKILL)
	}
	os.RemoveAll(e.dir)
}
