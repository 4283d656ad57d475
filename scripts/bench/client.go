package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
)

// rate measures how often per second a server answers a complete HTTP request. The clients do as
// little as possible, since they share the processors with the server: they read a status, a length
// and a body, and do not ask for compression.
func rate(ctx context.Context, o options, address, request string) (float64, error) {
	var g errgroup.Group
	counts := make([]int, o.clients)
	start := time.Now()
	for i := range counts {
		g.Go(func() (err error) {
			counts[i], err = hits(ctx, address, request, start.Add(o.runFor))
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return 0, err
	}
	total := 0
	for _, n := range counts {
		total += n
	}
	return float64(total) / time.Since(start).Seconds(), nil
}

// hits sends one request repeatedly on a connection and counts the responses.
func hits(ctx context.Context, address, request string, end time.Time) (n int, err error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	answers := bufio.NewReaderSize(conn, 64<<10)
	for ; time.Now().Before(end) && ctx.Err() == nil; n++ {
		if _, err := conn.Write([]byte(request)); err != nil {
			return n, err
		}
		if err := readAnswer(answers); err != nil {
			return n, err
		}
	}
	return n, ctx.Err()
}

var (
	statusOK      = []byte("HTTP/1.1 200 ")
	contentLength = []byte("Content-Length: ")
)

// readAnswer reads and discards one response with status 200.
func readAnswer(r *bufio.Reader) error {
	length := 0
	for first := true; ; first = false {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return err
		}
		if first && !bytes.HasPrefix(line, statusOK) {
			return fmt.Errorf("answer: %s", bytes.TrimSpace(line))
		}
		if text, ok := bytes.CutPrefix(line, contentLength); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(text))); err != nil {
				return err
			}
		}
		if len(line) <= 2 {
			_, err := r.Discard(length)
			return err
		}
	}
}
