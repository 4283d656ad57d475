// Command bench measures the cost of requests: sequential round trips, and read and write units of
// DynamoDB by its size formulas, with content of several sizes. Then it measures times on the
// embedded server.
//
//	go run ./scripts/bench                                the quick run
//	go run ./scripts/bench -sizes 100,10000,100000        costs at these sizes, times at the last
//	go run ./scripts/bench -sizes 1000000 -dir /data/big  keep the content for the next run
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"

	"headless/scripts/internal/program"
)

// options are the command line.
type options struct {
	sizes   []int
	dir     string
	clients int
	runFor  time.Duration
	times   bool
	profile string
}

func main() {
	o := options{sizes: []int{100, 1000, 10_000}}
	flag.Func("sizes", "numbers of entries (default 100,1000,10000)", func(v string) error {
		o.sizes = nil
		for _, s := range strings.Split(v, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(s))
			if err != nil || n < 1 {
				return errors.New("numbers of entries expected, such as 100,10000")
			}
			o.sizes = append(o.sizes, n)
		}
		return nil
	})
	flag.StringVar(&o.dir, "dir", "", "folder for the content, which is kept and reused (default a temporary one)")
	flag.IntVar(&o.clients, "clients", 16, "number of parallel clients")
	flag.DurationVar(&o.runFor, "for", 2*time.Second, "how long to measure one kind of request")
	flag.BoolVar(&o.times, "times", true, "measure times on the last size too")
	flag.StringVar(&o.profile, "cpuprofile", "", "write a profile of the whole run to this file")
	flag.Parse()
	program.Main("bench", func(ctx context.Context) error {
		return withProfile(o.profile, func() error { return run(ctx, o, os.Stdout) })
	})
}

// withProfile runs a function under the CPU profiler, if a file is given.
func withProfile(file string, run func() error) error {
	if file == "" {
		return run()
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return errors.Join(err, f.Close())
	}
	err = run()
	pprof.StopCPUProfile()
	return errors.Join(err, f.Close())
}

func run(ctx context.Context, o options, out io.Writer) error {
	if o.dir == "" {
		dir, err := os.MkdirTemp("", "headless-bench-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		o.dir = dir
	}
	var table costTable
	var last *contentBench
	for _, n := range o.sizes {
		c, err := prepare(ctx, filepath.Join(o.dir, strconv.Itoa(n)), n, out)
		if err != nil {
			return fmt.Errorf("content of %d entries: %w", n, err)
		}
		if err := c.disk(out); err != nil {
			return err
		}
		if err := c.costs(ctx, &table); err != nil {
			return fmt.Errorf("costs at %d entries: %w", n, err)
		}
		last = c
	}
	if err := table.print(out); err != nil || !o.times {
		return err
	}
	return last.times(ctx, o, out)
}
