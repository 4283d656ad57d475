// Package must ends a test at an error that it does not expect.
package must

import "testing"

// Do fails the test at once, on the line of the caller, if err is not nil.
func Do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
