package lists

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Lists has the scenarios of pages, sort orders, filters and fields.
var Lists = []kit.Scenario{
	{Name: "lists/pages", Run: pages},
	{Name: "lists/cursor", Run: cursors},
	{Name: "lists/sort", Run: sorts},
	{Name: "lists/sort/long", Run: longSorts},
	{Name: "lists/filter", Run: filters},
	{Name: "lists/fields", Run: fieldLists},
	{Name: "lists/visible", Run: visibleFields},
	{Name: "lists/model", Run: modelDefaults},
	{Name: "lists/q", Run: listSearch},
	{Name: "lists/any", Run: anyAndMore},
	{Name: "lists/explain", Run: explained},
}

// products is the content of the list scenarios.
var products = []struct {
	title string
	data  kit.Obj
}{
	{"Äpfel", kit.Obj{"price": 2, "color": "red", "tags": kit.List{"fruit", "fresh"}, "stock": true,
		"day": "2024-01-02", "maker": kit.Obj{"city": "Ulm"}, "free": kit.Obj{"n": 1, "s": "1"}}},
	{"apple", kit.Obj{"price": 10, "color": "green", "tags": kit.List{"fruit"}, "stock": false,
		"day": "2023-12-31", "maker": kit.Obj{"city": "Bonn"}, "free": kit.Obj{"n": 2}}},
	{"Banana", kit.Obj{"price": 1.5, "color": "yellow", "tags": kit.List{"fruit", "fresh"}, "stock": true,
		"day": "2024-02-01"}},
	{"cherry", kit.Obj{"price": -3, "color": "Red", "tags": kit.List{}, "stock": false,
		"maker": kit.Obj{"city": "Ulm"}}},
	{"Date", kit.Obj{"color": "brown", "day": "2024-01-10"}},
	{"elder", kit.Obj{"price": 10, "color": "red, dark"}},
}

// shop makes a model with the products, published in that order, and returns its list route.
func shop(t *testing.T, s *kit.Suite, k *kit.Client) string {
	t.Helper()
	model := s.Model(t, kit.Obj{"fields": kit.List{
		kit.Field("price", "number", nil), kit.Field("color", "text", kit.Obj{"searchable": true}),
		kit.Field("tags", "multiselect", kit.Obj{"options": kit.List{"fruit", "fresh"}}),
		kit.Field("stock", "boolean", nil), kit.Field("day", "date", nil),
		kit.Field("maker", "group", kit.Obj{"fields": kit.List{kit.Field("city", "text", nil)}}),
		kit.Field("free", "json", nil),
	}})
	for _, p := range products {
		k.Publish(t, model, p.title, p.data)
	}
	return "/" + model
}

func titles(a kit.Answer) string { return strings.Join(kit.Column(a.Get("data"), "title"), " ") }

func pages(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	l := "GET " + shop(t, s, k)
	k.Run(t,
		kit.Step{Name: "defaults", Call: l, Want: kit.Obj{"meta.page": 1, "meta.per_page": 25,
			"meta.total": 6, "meta.next_cursor": nil, "meta.total_relation": nil, "data.#": 6}},
		kit.Step{Name: "newest first", Call: l, Want: kit.Obj{"data.0.title": "elder", "data.5.title": "Äpfel"}},
		kit.Step{Name: "second page", Call: l + "?page=2&per_page=4",
			Want: kit.Obj{"meta.page": 2, "meta.per_page": 4, "meta.total": 6, "data.#": 2}},
		kit.Step{Name: "past the end", Call: l + "?page=9&per_page=4",
			Want: kit.Obj{"meta.page": 9, "meta.total": 6, "data": kit.List{}}},
		kit.Step{Name: "far past the end", Call: l + "?page=1000000&per_page=100",
			Want: kit.Obj{"meta.total": 6, "data": kit.List{}}},
		kit.Step{Name: "capped", Call: l + "?per_page=5000", Want: kit.Obj{"meta.per_page": 100, "data.#": 6}},
	)
	var seen []string
	for page := 1; page <= 3; page++ {
		seen = append(seen,
			kit.Column(k.OK(t, 200, l+"?sort=title&per_page=2&page="+strconv.Itoa(page), nil).Get("data"), "id")...)
	}
	kit.Same(t, "pages", seen, kit.Column(k.OK(t, 200, l+"?sort=title", nil).Get("data"), "id"))
}

func cursors(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	l := "GET " + shop(t, s, k)
	ids := kit.Column(k.OK(t, 200, l, nil).Get("data"), "id")
	queries := []string{"", "&sort=title", "&sort=-data.price", "&sort=data.color,-title", "&filter%5Bdata.stock%5D=true",
		"&q=red", "&q=red&sort=title", "&filter%5Bslug%5D%5Bin%5D=apple,banana,cherry",
		"&filter%5Bid%5D%5Bin%5D=" + strings.Join(append(ids[:3:3], ids[0]), ",")}
	ends := map[string]string{} // the last cursor of each walk
	for _, q := range queries {
		t.Run("walk"+q, func(t *testing.T) {
			all := kit.Column(k.OK(t, 200, l+"?per_page=100"+q, nil).Get("data"), "id")
			var seen []string
			for {
				a := k.Step(t, kit.Step{Call: l + "?per_page=2" + q + ends[q], Want: kit.Obj{"meta.total": len(all)}})
				seen = append(seen, kit.Column(a.Get("data"), "id")...)
				next, ok := a.Get("meta.next_cursor").(string)
				if !ok || len(seen) > len(all) {
					break
				}
				ends[q] = "&cursor=" + url.QueryEscape(next)
			}
			kit.Same(t, "the walk", seen, all)
		})
	}
	for from, cursor := range ends {
		for _, to := range queries {
			if from != to {
				k.Step(t, kit.Step{Name: "the cursor of " + from, Call: l + "?per_page=2" + to + cursor, Code: "BAD_REQUEST"})
			}
		}
	}
	t.Run("while others write", func(t *testing.T) {
		first := k.OK(t, 200, l+"?per_page=2&sort=title", nil)
		k.Create(t, strings.TrimPrefix(l, "GET /"), kit.Obj{"title": "aaa", "status": "published"})
		next := k.OK(t, 200, l+"?per_page=100&sort=title&cursor="+url.QueryEscape(first.Str(t, "meta.next_cursor")), nil)
		kit.Same(t, "after the first two", titles(next), "Banana cherry Date elder")
	})
}

func sorts(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	l := "GET " + shop(t, s, k) + "?sort="
	for sort, want := range map[string]string{
		"title":              "Äpfel apple Banana cherry Date elder",
		"-title":             "elder Date cherry Banana apple Äpfel",
		"data.day":           "apple Äpfel Date Banana elder cherry",
		"-created_at":        "elder Date cherry Banana apple Äpfel",
		"created_at":         "Äpfel apple Banana cherry Date elder",
		"-published_at":      "elder Date cherry Banana apple Äpfel",
		"data.price,title":   "cherry Banana Äpfel apple elder Date",
		"-data.price,title":  "Date apple elder Äpfel Banana cherry",
		"-data.price,-title": "Date elder apple Äpfel Banana cherry",
		"data.color,title":   "Date apple Äpfel cherry elder Banana",
	} {
		t.Run(sort, func(t *testing.T) {
			kit.Same(t, "titles", titles(k.OK(t, 200, l+sort, nil)), want)
		})
	}
}

// longSorts: each of several sort fields compares as much of a text as one alone.
func longSorts(t *testing.T, s *kit.Suite) {
	k, model := s.Key(t, nil), s.Model(t, nil)
	same := strings.Repeat("x", 120)
	for _, end := range []string{"c", "a", "d", "b"} {
		k.Publish(t, model, same+end, nil)
	}
	for sort, want := range map[string]string{
		"title": "a b c d", "title,created_at,slug": "a b c d", "-title,slug,status": "d c b a",
		"status,title,created_at": "a b c d", "locale,status,-title,slug": "d c b a",
		"title,status,locale,created_at,updated_at,published_at,slug,-title": "a b c d",
	} {
		var ends []string
		for at := ""; ; {
			a := k.Get(t, "/"+model+"?per_page=1&sort="+sort+at)
			ends = append(ends, strings.TrimPrefix(a.Str(t, "data.0.title"), same))
			next, more := a.Get("meta.next_cursor").(string)
			if at = "&cursor=" + url.QueryEscape(next); !more {
				break
			}
		}
		kit.Same(t, sort, strings.Join(ends, " "), want)
	}
}

func filters(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	base := "GET " + shop(t, s, k) + "?sort=created_at"
	rows := []struct{ filter, want string }{
		{"data.price=10", "apple elder"}, {"data.price=10.0", "apple elder"},
		{"data.price=1e1", "apple elder"}, {"data.price=-3", "cherry"}, {"data.price=99", ""},
		{"data.color=red", "Äpfel"}, {"data.color=Red", "cherry"},
		{"data.color=red, dark", "elder"}, {"data.stock=true", "Äpfel Banana"},
		{"data.stock=false", "apple cherry"},
		{"data.tags=fresh", "Äpfel Banana"}, {"data.tags=fruit", "Äpfel apple Banana"},
		{"data.day=2024-01-10", "Date"}, {"data.maker.city=Ulm", "Äpfel cherry"},
		{"data.free.n=1", "Äpfel"}, {"data.free.n[gte]=1", "Äpfel apple"}, {"title=apple", "apple"},
		{"title=Apple", ""}, {"slug=banana", "Banana"},
		{"data.price[ne]=10", "Äpfel Banana cherry Date"}, {"data.price[lt]=2", "Banana cherry"},
		{"data.price[lte]=2", "Äpfel Banana cherry"},
		{"data.price[gt]=2", "apple elder"}, {"data.price[gte]=2", "Äpfel apple elder"},
		{"data.price[in]=2,10", "Äpfel apple elder"}, {"data.price[nin]=2,10", "Banana cherry Date"},
		{"data.price[null]=true", "Date"},
		{"data.price[null]=false", "Äpfel apple Banana cherry elder"},
		{"data.color[contains]=e", "Äpfel apple Banana cherry elder"},
		{"data.color[contains]=R", "cherry"}, {"data.color[starts_with]=red", "Äpfel elder"},
		{"data.color[in]=red,brown", "Äpfel Date"}, {"data.day[gte]=2024-01-02", "Äpfel Banana Date"},
		{"data.day[lt]=2024-01-01", "apple"}, {"title[starts_with]=D", "Date"},
		{"data.stock[ne]=true", "apple cherry Date elder"},
		{"data.maker.city[ne]=Ulm", "apple Banana Date elder"},
		{"created_at[gt]=2001-01-01T00:00:00Z", "Äpfel apple Banana cherry Date elder"},
		{"published_at[lt]=2001-01-01T00:00:00Z", ""},
		{"data.price[gte]=2&data.price[lt]=10", "Äpfel"},
		{"data.stock=true&data.tags=fresh&data.price[lt]=2", "Banana"},
		{"data.color=red&data.stock=false", ""},
	}
	for _, row := range rows {
		t.Run(row.filter, func(t *testing.T) {
			q := ""
			for _, part := range strings.Split(row.filter, "&") {
				name, value, _ := strings.Cut(part, "=")
				name, op, _ := strings.Cut(name, "[")
				if op != "" {
					op = "[" + op
				}
				q += "&" + url.QueryEscape("filter["+name+"]"+op) + "=" + url.QueryEscape(value)
			}
			a := k.OK(t, 200, base+q, nil)
			got := titles(a)
			if n := len(strings.Fields(row.want)); got != row.want || kit.Compare(a.Get("meta.total"), n) != nil {
				t.Errorf("got %s, total %v, want %s", got, a.Get("meta.total"), row.want)
			}
		})
	}
	// More bytes than characters may be, but an address that a gateway accepts.
	long := base + "&filter[title]=" + strings.Repeat("a", 3200) + strings.Repeat("%C3%A4", 200)
	k.Run(t,
		kit.Step{Name: "3,400 characters", Call: long, Want: kit.Obj{"meta.total": 0}},
		kit.Step{Name: "3,600 characters", Call: long + strings.Repeat("a", 200), Code: "BAD_REQUEST"},
	)
}

func fieldLists(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	l := shop(t, s, k)
	for _, path := range []string{l + "?sort=created_at&", l + "/aepfel?", l + "/apfel?"} {
		a := k.Do(t, "GET "+path+"fields=title,data.price", nil)
		if a.Status == 404 {
			continue // the entry has only one of the two slugs
		}
		one := a.Get("data")
		if items, ok := one.(kit.List); ok {
			one = items[0]
		}
		want := kit.Obj{"id": kit.Dig(one, "id"), "title": "Äpfel", "data": kit.Obj{"price": 2}}
		if err := kit.Compare(one, want); a.Status != 200 || err != nil {
			t.Errorf("%s: %d %v", path, a.Status, err)
		}
	}
	k.Run(t,
		kit.Step{Name: "one column", Call: "GET " + l + "?fields=slug&per_page=1&sort=-created_at",
			Want: kit.Obj{"data.0.slug": "elder", "data.0.title": nil, "data.0.data": nil, "data.0.id": kit.Present}},
		kit.Step{Name: "all of data", Call: "GET " + l + "?fields=data&per_page=1&sort=-created_at",
			Want: kit.Obj{"data.0.data.color": "red, dark", "data.0.title": nil}},
	)
}

func visibleFields(t *testing.T, s *kit.Suite) {
	model := s.Model(t,
		kit.Obj{"fields": kit.List{kit.Field("open", "text", kit.Obj{"searchable": true}),
			kit.Field("hidden", "text", kit.Obj{"searchable": true})}, "visible_fields": kit.List{"open"}})
	plain, admin := s.Key(t, nil), s.AdminKey(t)
	word := strings.ReplaceAll(kit.Unique("zq"), "-", "")
	id := admin.Publish(t, model, "Seen", kit.Obj{"open": "o", "hidden": word})
	plain.Run(t,
		kit.Step{Name: "entry", Call: "GET /" + model + "/" + id, Want: kit.Obj{"data.data": kit.Obj{"open": "o"}}},
		kit.Step{Name: "list", Call: "GET /" + model, Want: kit.Obj{"data.0.data": kit.Obj{"open": "o"}}},
		kit.Step{Name: "filter", Call: "GET /" + model + "?filter%5Bdata.hidden%5D=" + word, Code: "BAD_REQUEST"},
		kit.Step{Name: "sort", Call: "GET /" + model + "?sort=data.hidden", Code: "BAD_REQUEST"},
		kit.Step{Name: "fields", Call: "GET /" + model + "?fields=data.hidden", Code: "BAD_REQUEST"},
		kit.Step{Name: "include", Call: "GET /" + model + "?include=hidden", Code: "BAD_REQUEST"},
		kit.Step{Name: "q", Call: "GET /" + model + "?q=" + word, Want: kit.Obj{"meta.total": 0}},
		kit.Step{Name: "search", Call: "GET /search?q=" + word, Want: kit.Obj{"meta.total": 0}},
	)
	admin.Run(t,
		kit.Step{Name: "admin entry", Call: "GET /" + model + "/" + id, Want: kit.Obj{"data.data.hidden": word}},
		kit.Step{Name: "admin filter", Call: "GET /" + model + "?filter%5Bdata.hidden%5D=" + word,
			Want: kit.Obj{"meta.total": 1}},
		kit.Step{Name: "admin q", Call: "GET /" + model + "?q=" + word, Want: kit.Obj{"meta.total": 1}},
		kit.Step{Name: "admin search", Call: "GET /search?q=" + word, Want: kit.Obj{"meta.total": 1}},
	)
}

func modelDefaults(t *testing.T, s *kit.Suite) {
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("rank", "number", nil)},
		"default_sort": "-data.rank,title", "max_per_page": 2})
	k := s.Key(t, nil)
	for i, title := range []string{"c", "a", "b", "d"} {
		k.Publish(t, model, title, kit.Obj{"rank": []int{1, 2, 2, 3}[i]})
	}
	k.Run(t,
		kit.Step{Name: "sort and cap", Call: "GET /" + model,
			Want: kit.Obj{"meta.per_page": 2, "meta.total": 4, "data.0.title": "d", "data.1.title": "a"}},
		kit.Step{Name: "capped", Call: "GET /" + model + "?per_page=50&page=2",
			Want: kit.Obj{"meta.per_page": 2, "data.0.title": "b", "data.1.title": "c"}},
	)
	s.Admin(t).Put(t, "/models/"+model, kit.Obj{"max_per_page": 3, "default_sort": "title"})
	k.Run(t, kit.Step{Name: "changed at once", Call: "GET /" + model,
		Want: kit.Obj{"meta.per_page": 3, "data.0.title": "a", "data.2.title": "c"}})
}

func listSearch(t *testing.T, s *kit.Suite) {
	k := s.Key(t, nil)
	l := "GET " + shop(t, s, k)
	for q, want := range map[string]string{
		"q=green": "apple", "q=RED&sort=created_at": "Äpfel cherry elder", "q=apfel": "Äpfel",
		"q=red+dark": "elder", "q=app": "apple", "q=gre+apple": "", "q=apple+gre": "apple",
		"q=red&filter%5Bdata.stock%5D=false": "cherry", "q=nothing": "", "q=!!!": "",
		"q=+&sort=title": "Äpfel apple Banana cherry Date elder",
	} {
		t.Run(q, func(t *testing.T) {
			a := k.OK(t, 200, l+"?"+q, nil)
			kit.Same(t, "titles", titles(a), want)
			if err := kit.Compare(a.Get("meta.total"), len(strings.Fields(want))); err != nil {
				t.Errorf("total: %v", err)
			}
		})
	}
	t.Run("many", func(t *testing.T) {
		model := s.Model(t, nil)
		for i := range 30 {
			k.Publish(t, model, fmt.Sprintf("Entry %02d", i), kit.Obj{"body": "needle " + strings.Repeat("hay ", i)})
		}
		k.Step(t, kit.Step{Call: "GET /" + model + "?q=needle&per_page=10&page=3",
			Want: kit.Obj{"meta.total": 30, "data.#": 10}})
	})
}

// anyAndMore joins filters for any status or locale with others on the same name.
func anyAndMore(t *testing.T, s *kit.Suite) {
	model, k := s.Model(t, kit.Obj{"localized": true}), s.AdminKey(t)
	word := strings.ReplaceAll(kit.Unique("zq"), "-", "")
	for _, status := range []string{"draft", "published", "archived"} {
		k.Create(t, model, kit.Obj{"title": status + " " + word, "status": status})
	}
	l := "GET /" + model + "?sort=title&"
	for filters, want := range map[string]int{
		"filter[status][eq]=any&filter[status][ne]=published":                      2,
		"filter[status][eq]=any&filter[status][nin]=draft,archived":                1,
		"filter[status][eq]=any&filter[status][in]=archived":                       1,
		"filter[locale][eq]=any&filter[locale][ne]=" + s.DefaultLocale(t):          0,
		"filter[locale][eq]=any&filter[locale][starts_with]=" + s.DefaultLocale(t): 1,
	} {
		k.Step(t, kit.Step{Name: filters, Call: l + filters, Want: kit.Obj{"meta.total": want}})
	}
	k.Step(t, kit.Step{Name: "search", Call: "GET /search?q=" + word + "&filter[locale][eq]=any&filter[locale][ne]=xx",
		Want: kit.Obj{"meta.total": 1}})
	flat := s.Model(t, nil)
	k.Create(t, flat, kit.Obj{"title": "x", "status": "published"})
	for filter, want := range map[string]int{"[eq]=any&filter[locale][ne]=xx": 1, "=any": 1, "=xx": 0,
		"=" + s.DefaultLocale(t): 1} {
		k.Step(t, kit.Step{Name: "not localized " + filter, Call: "GET /" + flat + "?filter[locale]" + filter,
			Want: kit.Obj{"meta.total": want}})
	}
}
