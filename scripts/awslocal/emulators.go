package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"headless/scripts/internal/program"
)

// emulators are the emulators of AWS services that this program started (scripts/tools).
type emulators struct {
	addresses map[string]string // URLs by the suffix of AWS_ENDPOINT_URL_
	processes []*exec.Cmd
	dir       string
}

// startEmulators installs and starts DynamoDB Local, versitygw and moto on free ports and waits
// until they listen.
func startEmulators(ctx context.Context) (*emulators, error) {
	dir, err := os.MkdirTemp("", "awslocal")
	if err != nil {
		return nil, err
	}
	e := &emulators{addresses: map[string]string{}, dir: dir}
	for _, tool := range []struct {
		script   string
		services []string
		args     []string
	}{
		{"dynamodb-local.sh", []string{"DYNAMODB"}, nil},
		{"versitygw.sh", []string{"S3"}, []string{filepath.Join(dir, "s3")}},
		{"moto.sh", []string{"SQS", "SESV2", "SSM"}, nil},
	} {
		// A download may take any time. Only an installed tool must listen soon.
		if err := install(ctx, tool.script); err != nil {
			e.stop()
			return nil, err
		}
		address, err := e.start(tool.script, tool.args)
		if err != nil {
			e.stop()
			return nil, err
		}
		for _, s := range tool.services {
			e.addresses[s] = "http://" + address
		}
	}
	for _, address := range e.addresses {
		if err := waitListening(ctx, address[len("http://"):], time.Minute); err != nil {
			e.stop()
			return nil, err
		}
	}
	return e, nil
}

func install(ctx context.Context, script string) error {
	cmd := exec.CommandContext(ctx, filepath.Join("scripts", "tools", script), "install")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s install: %w", script, err)
	}
	return nil
}

func (e *emulators) start(script string, args []string) (string, error) {
	port, err := program.FreePort()
	if err != nil {
		return "", err
	}
	log, err := os.Create(filepath.Join(e.dir, script+".log"))
	if err != nil {
		return "", err
	}
	defer log.Close()
	cmd := exec.Command(filepath.Join("scripts", "tools", script), append([]string{"run", port}, args...)...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	e.processes = append(e.processes, cmd)
	return "127.0.0.1:" + port, nil
}

// stop ends the emulators and removes what they stored.
func (e *emulators) stop() {
	for _, p := range e.processes {
		syscall.Kill(-p.Process.Pid, syscall.SIGKILL)
		p.Wait()
	}
	os.RemoveAll(e.dir)
}

// waitListening waits until a server accepts connections at address.
func waitListening(ctx context.Context, address string, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("nothing listens at %s: %w", address, ctx.Err())
		}
	}
}
