package command

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Stdout is standard output. It keeps the first error of a write until TakeError, so that commands need not look at
// each write: the program fails if one of them failed.
var Stdout = &output{}

type output struct{ err error }

// Write writes to standard output.
func (o *output) Write(p []byte) (int, error) {
	n, err := os.Stdout.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// TakeError returns the first error of a write since the last call.
func (o *output) TakeError() error {
	err := o.err
	o.err = nil
	return err
}

// PrintOnce prints a secret that is not shown again. If that fails, even because the reader of a pipe has ended, the
// error ends with the advice how to get another one. If standard output is discarded, it gives the advice alone.
func PrintOnce(text, advice string) error {
	signal.Ignore(syscall.SIGPIPE) // it would end the program without a message
	if _, err := io.WriteString(Stdout, text); err != nil {
		return fmt.Errorf("it was made but could not be printed: %w. %s", err, advice)
	}
	if isDiscarded() {
		fmt.Fprintf(os.Stderr, "cms: it was made, but standard output is closed or discarded. %s\n", advice)
	}
	return nil
}

// isDiscarded reports whether standard output is the null device. Go opens that in place of a closed one.
func isDiscarded() bool {
	out, err := os.Stdout.Stat()
	null, nullErr := os.Stat(os.DevNull)
	return err == nil && nullErr == nil && os.SameFile(out, null)
}
