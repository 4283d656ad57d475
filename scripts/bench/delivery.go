package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
)

// deliveryHits measures answers of the delivery API from the cache. The client does as little as it
// can, since it shares the processors with the server: it reads a status, a length and a body.
func (c *contentBench) deliveryHits(ctx context.Context, out io.Writer, o options, address string) error {
	for _, path := range []string{"/" + model + "?per_page=20", "/settings"} {
		path = "/delivery/v1/" + c.site + path
		var g errgroup.Group
		counts := make([]int, o.clients)
		start := time.Now()
		for i := range counts {
			g.Go(func() (err error) {
				counts[i], err = hits(ctx, address, path, start.Add(o.runFor))
				return err
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
		total := 0
		for _, n := range counts {
			total += n
		}
		rate := float64(total) / time.Since(start).Seconds()
		fmt.Fprintf(out, "delivery from the cache, %d clients, %s: %.0f a second\n", o.clients, path, rate)
	}
	return nil
}

// hits sends one request over and over on a connection and counts the answers.
func hits(ctx context.Context, address, path string, end time.Time) (n int, err error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	request := []byte("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
	answers := bufio.NewReaderSize(conn, 64<<10)
	for ; time.Now().Before(end) && ctx.Err() == nil; n++ {
		if _, err := conn.Write(request); err != nil {
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

// readAnswer reads past one answer of status 200.
func readAnswer(r *bufio.Reader) error {
	length := 0
	for first := true; ; first = false {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return err
		}
		if first && !bytes.HasPrefix(line, statusOK) {
			return fmt.Errorf("delivery: %s", bytes.TrimSpace(line))
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
