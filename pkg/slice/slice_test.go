package slice

import (
	"slices"
	"strconv"
	"testing"
)

func TestMap(t *testing.T) {
	if got := Map([]int{2, 1}, strconv.Itoa); !slices.Equal(got, []string{"2", "1"}) {
		t.Errorf("got %q", got)
	}
	if got := Map([]int(nil), strconv.Itoa); got == nil || len(got) > 0 {
		t.Errorf("of no elements: got %#v, want an empty list that is not nil", got)
	}
}

func TestFilled(t *testing.T) {
	list := []string{"", "a", " ", "", "b"}
	if got := Filled(list); !slices.Equal(got, []string{"a", " ", "b"}) || list[4] != "b" {
		t.Errorf("got %q of %q", got, list)
	}
}

func TestFilter(t *testing.T) {
	list := []int{1, 2, 3, 4}
	even := func(n int) bool { return n%2 == 0 }
	if got := Filter(list, even); !slices.Equal(got, []int{2, 4}) || !slices.Equal(list, []int{1, 2, 3, 4}) {
		t.Errorf("got %v of %v", got, list)
	}
	if got := Filter([]int{1}, even); got != nil {
		t.Errorf("of no even number: got %#v, want nil", got)
	}
}

func TestWithout(t *testing.T) {
	if got := Without([]string{"b", "a", "b", "c"}, []string{"b", "d"}); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("got %q", got)
	}
}

func TestDistinct(t *testing.T) {
	if got := Distinct([]string{"b", "a", "b", "", "a", ""}); !slices.Equal(got, []string{"b", "a", ""}) {
		t.Errorf("got %q", got)
	}
}
