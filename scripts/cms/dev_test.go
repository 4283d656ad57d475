package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestDev runs a service until it is told to end, and calls it.
func TestDev(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	listener.Close()
	ctx, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		root := rootCommand()
		root.SetArgs([]string{"dev", "--port", port, "--data", t.TempDir(), "--seed", "none"})
		root.SetOut(in)
		err := root.ExecuteContext(ctx)
		in.Close()
		ended <- err
	}()
	lines := bufio.NewScanner(out)
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), "ready http://localhost:"+port) {
		t.Fatalf("the server says %q", lines.Text())
	}
	go io.Copy(io.Discard, out)
	resp, err := http.Get("http://localhost:" + port + "/api/v1/ping")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusUnauthorized && resp.StatusCode != http.StatusOK {
		t.Errorf("ping: %s", resp.Status)
	}
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
