package pipeline

import (
	"slices"
	"testing"
)

// TestIgnored names parameters in the order sent. The end-to-end suite sends them in alphabetical
// order, since the events of a REST API, which LocalStack has, keep no other.
func TestIgnored(t *testing.T) {
	got := ignoredParameters("populate=x&sort=title&depth=2&populate=y&filter[a]=1&Locale=de",
		[]string{"sort", "filter"})
	if want := []string{"populate", "depth", "Locale"}; !slices.Equal(got, want) {
		t.Errorf("ignored gave %q, want %q", got, want)
	}
}
