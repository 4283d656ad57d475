package query

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
)

func TestParseSort(t *testing.T) {
	m := cmstest.Model(t, cmstest.FullModel)
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
	m := cmstest.Model(t, cmstest.FullModel)
	if got := SortOrder(m); !reflect.DeepEqual(got, []SortField{{"data.price", true}, {"title", false}}) {
		t.Errorf("got %v", got)
	}
	m.DefaultSort = "data.gone"
	if got := SortOrder(m); !reflect.DeepEqual(got, DefaultSort()) {
		t.Errorf("got %v", got)
	}
}

func TestCompareValues(t *testing.T) {
	number := func(s string) Value { d, _ := ParseDecimal(s); return Value{Kind: cms.ValueNumber, Number: d} }
	at := func(year int) Value {
		return Value{Kind: cms.ValueTime, Time: time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)}
	}
	order := []Value{
		{Kind: cms.ValueBool}, {Kind: cms.ValueBool, Bool: true}, number("-5"), number("9"), number("10"),
		at(1), at(2024), at(9999),
		{Kind: cms.ValueText}, {Kind: cms.ValueText, Text: "B"}, {Kind: cms.ValueText, Text: "a"},
		{Kind: cms.ValueObject}, {},
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
	m := cmstest.Model(t, cmstest.FullModel)
	entries := []*cms.Entry{
		{Title: "none"}, {Title: "ten", Data: cmstest.Object(t, `{"price": 10}`)},
		{Title: "null", Data: cmstest.Object(t, `{"price": null}`)},
		{Title: "nine", Data: cmstest.Object(t, `{"price": 9}`)},
	}
	slices.SortStableFunc(entries,
		func(a, b *cms.Entry) int {
			return Compare(SortValue(m, a, "data.price"),
				SortValue(m, b, "data.price"), nil)
		})
	var titles []string
	for _, e := range entries {
		titles = append(titles, e.Title)
	}
	if got := strings.Join(titles, " "); got != "nine ten none null" {
		t.Errorf("got %s", got)
	}
}
