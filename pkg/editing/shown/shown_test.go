package shown

import (
	"fmt"
	"strings"
	"testing"

	"headless/pkg/refs"
)

// TestRestore replaces addresses in a text that was not stored before by references to stored targets.
func TestRestore(t *testing.T) {
	s := &Texts{versions: []map[string][]shownLink{nil}, numbers: map[string]numbers{}}
	id := func(i int) string { return fmt.Sprintf("018f3f6e-3f0c-7b5a-9c3e-%012d", i) }
	link := func(i int, former string, addresses ...string) {
		s.number(shownLink{target: refs.Target{ID: id(i)}, addresses: addresses, former: map[string]bool{former: true}})
	}
	link(1, "/old", "/de/one", "/one")
	link(2, "/older", "/one")
	link(3, "/old", "/page?id=3")
	for destination, want := range map[string]string{
		"/de/one": "cms://entry/" + id(1), "/one": "cms://entry/" + id(2), "/one?a=1#b": "cms://entry/" + id(2) + "?a=1#b",
		"/old#x": "cms://entry/" + id(1) + "#x", "/older": "cms://entry/" + id(2), "/ones": "/ones",
		"/page?id=3&x=1": "cms://entry/" + id(3) + "?x=1", "/page?id=33": "/page?id=33", "/page": "/page",
	} {
		if got, text := s.Restore("data.body", "[a]("+destination+")"), "[a]("+want+")"; got != text {
			t.Errorf("%s becomes %s, want %s", destination, got, text)
		}
	}
	for i := range 20_000 { // compared with one another, these would take minutes
		link(i, fmt.Sprint("/before/", i), fmt.Sprint("/now/", i))
	}
	many := strings.Repeat("[a](/other/page) ", 60_000)
	if got := s.Restore("data.body", many); got != many {
		t.Error("a link to another page changes")
	}
}
