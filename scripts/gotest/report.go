package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// counts are numbers of tests. A package that fails outside of its tests, for example because it
// does not build, counts as one.
type counts struct {
	Passed, Failed, Skipped int
}

func (c counts) String() string { return fmt.Sprintf("%d passed, %d failed", c.Passed, c.Failed) }

func (c *counts) add(other counts) {
	c.Passed += other.Passed
	c.Failed += other.Failed
	c.Skipped += other.Skipped
}

// event is a line of `go test -json`.
type event struct {
	Action, Package, ImportPath, Test, Output string
}

// reporter keeps the output of a test until the test has passed or failed.
type reporter struct {
	out    io.Writer
	sum    counts
	kept   map[string][]string // output by package and test
	failed map[string]int      // failed tests by package
}

// report reads the events of a run, prints the relevant output and counts the tests.
func report(events io.Reader, out io.Writer) (counts, error) {
	r := &reporter{out: out, kept: map[string][]string{}, failed: map[string]int{}}
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil {
				e = event{Action: "build-output", Output: string(line)}
			}
			r.takeEvent(e)
		}
		if err == io.EOF {
			return r.sum, nil
		}
		if err != nil {
			return r.sum, err
		}
	}
}

func (r *reporter) takeEvent(e event) {
	key := e.Package + "\x00" + e.Test
	switch e.Action {
	case "build-output":
		fmt.Fprint(r.out, e.Output)
	case "output":
		if e.Test == "" && e.Output != "PASS\n" {
			fmt.Fprint(r.out, e.Output) // the result line of the package, and its output outside of tests
		} else {
			r.kept[key] = append(r.kept[key], e.Output)
		}
	case "pass", "fail", "skip":
		r.testEnded(e, r.kept[key])
		if r.kept[key] = afterResult(r.kept[key]); e.Action == "fail" {
			delete(r.kept, key)
		}
	}
}

func (r *reporter) testEnded(e event, output []string) {
	if e.Test == "" {
		if e.Action == "fail" {
			if r.failed[e.Package] == 0 {
				r.sum.Failed++
			}
			r.cutOff(e.Package)
		}
		return
	}
	switch e.Action {
	case "pass":
		r.sum.Passed++
	case "skip":
		r.sum.Skipped++
	case "fail":
		r.sum.Failed++
		r.failed[e.Package]++
		for _, line := range output {
			fmt.Fprint(r.out, line)
		}
	}
}

// afterResult returns the output after the result of a test. It is not of the test, but may say why the program ended,
// such as by a timeout.
func afterResult(output []string) []string {
	result := slices.IndexFunc(output, func(line string) bool {
		return strings.HasPrefix(strings.TrimSpace(line), "--- ")
	})
	if result < 0 {
		return nil
	}
	return output[result+1:]
}

// cutOff prints what the tests said that were running when their program ended.
func (r *reporter) cutOff(pkg string) {
	for _, key := range slices.Sorted(maps.Keys(r.kept)) {
		if !strings.HasPrefix(key, pkg+"\x00") {
			continue
		}
		for _, line := range r.kept[key] {
			if !strings.HasPrefix(line, "=== ") {
				fmt.Fprint(r.out, line)
			}
		}
	}
}
