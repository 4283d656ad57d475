package web_test

import (
	"net/url"
	"slices"
	"testing"

	"headless/pkg/web"
)

func TestPage(t *testing.T) {
	for query, want := range map[string][2]int{
		"":                                {1, 25},
		"page=3&per_page=10":              {3, 10},
		"per_page=1000":                   {1, 40},
		"page=99999999999999999999999999": {1_000_000_000, 25},
	} {
		q, _ := url.ParseQuery(query)
		if page, perPage, err := web.Page(q, 40); page != want[0] || perPage != want[1] || err != nil {
			t.Errorf("Page(%q) = %d, %d, %v", query, page, perPage, err)
		}
	}
	for _, query := range []string{"page=0", "page=-1", "page=", "per_page=x", "per_page=1.5",
		"page=-99999999999999999999", "page=%2B1"} {
		q, _ := url.ParseQuery(query)
		if _, _, err := web.Page(q, 40); err == nil {
			t.Errorf("Page(%q) took it", query)
		}
	}
}

func TestFilters(t *testing.T) {
	q, _ := url.ParseQuery("filter[b]=2&q=x&filter[a][gt]=1&filter[b]=3&filter=y&filters=z")
	var got []string
	for name, value := range web.Filters(q) {
		got = append(got, name+"="+value)
	}
	if want := []string{"filter=y", "filter[a][gt]=1", "filter[b]=2", "filter[b]=3"}; !slices.Equal(got,
		want) {
		t.Errorf("Filters gave %q, want %q", got, want)
	}
}
