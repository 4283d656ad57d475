package cms

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParseSort(t *testing.T) {
	m := modelOf(t, fullModel)
	got, err := ParseSort(m, "-published_at,title,data.place.city,-data.author")
	want := []SortField{{"published_at", true}, {"title", false}, {"data.place.city", false},
		{"data.author", true}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, s := range []string{"nope", "id", "--title", "-", ",", "title,", "data.tags",
		"data.meta", "data.meta.x", "data.place", "data.steps.label",
		"data.blocks.type", "data.blocks.heading", "data.related", "price",
		strings.Repeat("title,", 8) + "title"} {
		if got, err := ParseSort(m, s); err == nil {
			t.Errorf("%q is read as %v", s, got)
		}
	}
	for _, path := range m.SortFields() {
		if _, err := ParseSort(m, path); err != nil {
			t.Errorf("%s is listed, yet: %v", path, err)
		}
	}
	for _, path := range m.FilterPaths() {
		if _, ok := m.Lookup(path); !ok {
			t.Errorf("%s is listed, yet unknown", path)
		}
	}
}

func TestSortOrder(t *testing.T) {
	m := modelOf(t, fullModel)
	if got := m.SortOrder(); !reflect.DeepEqual(got, []SortField{{"data.price", true}, {"title", false}}) {
		t.Errorf("got %v", got)
	}
	m.DefaultSort = "data.gone"
	if got := m.SortOrder(); !reflect.DeepEqual(got, DefaultSort()) {
		t.Errorf("got %v", got)
	}
}

func TestCompareValues(t *testing.T) {
	number := func(s string) Value { d, _ := ParseDecimal(s); return Value{Kind: ValueNumber, Number: d} }
	at := func(year int) Value {
		return Value{Kind: ValueTime, Time: time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)}
	}
	order := []Value{
		{Kind: ValueBool}, {Kind: ValueBool, Bool: true}, number("-5"), number("9"), number("10"),
		at(1), at(2024), at(9999),
		{Kind: ValueText}, {Kind: ValueText, Text: "B"}, {Kind: ValueText, Text: "a"},
		{Kind: ValueObject}, {},
	}
	for i, a := range order {
		for j, b := range order {
			if got, want := Compare(a, b, nil), compareInt(i, j); got != want {
				t.Errorf("Compare(%+v, %+v) = %d", a, b, got)
			}
		}
	}
}

func compareInt(i, j int) int {
	switch {
	case i < j:
		return -1
	case i > j:
		return 1
	}
	return 0
}

func TestSortValuePutsMissingLast(t *testing.T) {
	m := modelOf(t, fullModel)
	entries := []*Entry{
		{Title: "none"}, {Title: "ten", Data: object(t, `{"price": 10}`)},
		{Title: "null", Data: object(t, `{"price": null}`)}, {Title: "nine", Data: object(t, `{"price": 9}`)},
	}
	slices.SortStableFunc(entries,
		func(a, b *Entry) int {
			return Compare(m.SortValue(a, "data.price"),
				m.SortValue(b, "data.price"), nil)
		})
	var titles []string
	for _, e := range entries {
		titles = append(titles, e.Title)
	}
	if got := strings.Join(titles, " "); got != "nine ten none null" {
		t.Errorf("got %s", got)
	}
}
