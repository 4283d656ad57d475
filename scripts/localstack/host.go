package main

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

// host is a LocalStack process that this program started.
type host struct {
	endpoint string
	cmd      *exec.Cmd
	done     chan error
	state    string
}

// startHost runs LocalStack on a free port and waits until it answers.
func startHost(ctx context.Context) (*host, error) {
	port, err := program.FreePort()
	if err != nil {
		return nil, err
	}
	state, err := os.MkdirTemp("", "localstack")
	if err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(state, "localstack.log"))
	if err != nil {
		return nil, err
	}
	h := &host{endpoint: "http://127.0.0.1:" + port, done: make(chan error, 1), state: state}
	h.cmd = exec.Command("scripts/tools/localstack.sh", "run", port, filepath.Join(state, "data"))
	h.cmd.Stdout, h.cmd.Stderr = log, log
	h.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that stop ends its children
	if err := h.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { h.done <- h.cmd.Wait(); log.Close() }()
	if err := h.wait(ctx, 90*time.Second); err != nil {
		h.stop()
		return nil, err
	}
	return h, nil
}

// wait polls until LocalStack is up.
func (h *host) wait(ctx context.Context, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for tick := time.NewTicker(200 * time.Millisecond); ; {
		if answers(ctx, h.endpoint+"/_localstack/health") {
			return nil
		}
		select {
		case <-tick.C:
		case err := <-h.done:
			text, _ := os.ReadFile(filepath.Join(h.state, "localstack.log"))
			return fmt.Errorf("LocalStack ended: %v\n%s", err, text)
		case <-ctx.Done():
			return fmt.Errorf("LocalStack did not answer: %w", ctx.Err())
		}
	}
}

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
	return resp.StatusCode == http.StatusOK
}

// stop ends LocalStack and removes its state.
func (h *host) stop() {
	syscall.Kill(-h.cmd.Process.Pid, syscall.SIGTERM)
	select {
	case <-h.done:
	case <-time.After(60 * time.Second): // it ends its own programs first
		syscall.Kill(-h.cmd.Process.Pid, syscall.SIGKILL)
	}
	os.RemoveAll(h.state)
}
