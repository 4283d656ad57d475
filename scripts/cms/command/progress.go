package command

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

const (
	barWidth  = 30
	barEvery  = 100 * time.Millisecond
	clearLine = "\r\x1b[K"
)

// UnknownTotal is the total of work whose length is not known yet.
const UnknownTotal = -1

// Progress shows the progress of long work. Without a writer it shows nothing.
type Progress struct {
	Done, Total int

	out   io.Writer
	label string
	shown time.Time
}

// NewProgress shows a bar on standard error if that is a terminal.
func NewProgress(label string, total int) *Progress {
	p := &Progress{label: label, Total: total}
	if info, err := os.Stderr.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		p.out = os.Stderr
	}
	return p
}

// Add counts n more as done, and redraws the bar at most every barEvery.
func (p *Progress) Add(n int) {
	p.Done += n
	if p.out == nil || time.Since(p.shown) < barEvery {
		return
	}
	p.shown = time.Now()
	if p.Total <= 0 {
		fmt.Fprintf(p.out, "%s%s %d", clearLine, p.label, p.Done)
		return
	}
	full := min(barWidth, p.Done*barWidth/p.Total)
	bar := strings.Repeat("#", full) + strings.Repeat(".", barWidth-full)
	fmt.Fprintf(p.out, "%s%s [%s] %d%%", clearLine, p.label, bar, min(100, p.Done*100/p.Total))
}

// End removes the bar.
func (p *Progress) End() {
	if p.out != nil {
		fmt.Fprint(p.out, clearLine)
	}
}
