package cms

import (
	"fmt"
	"slices"
	"testing"
)

func TestTagsCollapse(t *testing.T) {
	few := NewTags()
	few.Entry("posts", "1")
	few.File("2")
	few.List("posts", "en", "de")
	few.Add(TagSchema)
	if got, want := few.Names(50), []string{"e.1", "f.2", "l.posts.de", "l.posts.en", "schema"}; !slices.Equal(got,
		want) {
		t.Errorf("%v, want %v", got, want)
	}
	many := NewTags()
	many.Add(TagSchema)
	for i := range 40 {
		many.Entry("posts", fmt.Sprint("p", i))
	}
	for i := range 20 {
		many.Entry("authors", fmt.Sprint("a", i))
	}
	got := many.Names(49)
	if len(got) != 22 || !slices.Contains(got, "m.posts") || !slices.Contains(got, "e.a1") ||
		slices.Contains(got, "e.p1") {
		t.Errorf("the largest group stands for itself: %v", got)
	}
	for i := range 60 {
		many.File(fmt.Sprint(i))
		many.List(fmt.Sprint("m", i), "en")
	}
	if got, want := many.Names(49), []string{"entries", "files", "schema"}; !slices.Equal(got, want) {
		t.Errorf("everything collapses: %v, want %v", got, want)
	}
	var none *Tags
	none.Entry("posts", "1")
	if got := none.Names(50); got != nil {
		t.Errorf("nil collects %v", got)
	}
}
