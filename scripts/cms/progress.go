package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

const (
	barWidth     = 30
	barEvery     = 100 * time.Millisecond
	clearLine    = "\r\x1b[K"
	unknownTotal = -1
)

// progress shows how far long work is. Without a writer it shows nothing.
type progress struct {
	out         io.Writer
	label       string
	done, total int
	shown       time.Time
}

// newProgress shows a bar on standard error where that is a terminal.
func newProgress(label string, total int) *progress {
	p := &progress{label: label, total: total}
	if info, err := os.Stderr.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		p.out = os.Stderr
	}
	return p
}

// add counts what was done, and shows it unless it was shown just now.
func (p *progress) add(n int) {
	p.done += n
	if p.out == nil || time.Since(p.shown) < barEvery {
		return
	}
	p.shown = time.Now()
	if p.total <= 0 {
		fmt.Fprintf(p.out, "%s%s %d", clearLine, p.label, p.done)
		return
	}
	full := min(barWidth, p.done*barWidth/p.total)
	bar := strings.Repeat("#", full) + strings.Repeat(".", barWidth-full)
	fmt.Fprintf(p.out, "%s%s [%s] %d%%", clearLine, p.label, bar, min(100, p.done*100/p.total))
}

// end removes the bar.
func (p *progress) end() {
	if p.out != nil {
		fmt.Fprint(p.out, clearLine)
	}
}
