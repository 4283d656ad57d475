package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
)

// addTotals appends the counts of a run to a file; without a file it does nothing.
func addTotals(file string, sum counts) error {
	if file == "" {
		return nil
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(json.NewEncoder(f).Encode(sum), f.Close())
}

// readTotals adds up the counts in the file of addTotals.
func readTotals(file string) (sum counts, err error) {
	f, err := os.Open(file)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	lines := json.NewDecoder(f)
	for {
		var c counts
		switch err := lines.Decode(&c); {
		case err == io.EOF:
			return sum, nil
		case err != nil:
			return sum, err
		}
		sum.add(c)
	}
}
