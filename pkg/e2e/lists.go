package e2e

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var listScenarios = []scenario{
	{name: "lists/pages", run: pages},
	{name: "lists/cursor", run: cursors},
	{name: "lists/sort", run: sorts},
	{name: "lists/filter", run: filters},
	{name: "lists/fields", run: fieldLists},
	{name: "lists/visible", run: visibleFields},
	{name: "lists/model", run: modelDefaults},
	{name: "lists/q", run: listSearch},
	{name: "lists/any", run: anyAndMore},
}

// products is the content of the list scenarios.
var products = []struct {
	title string
	data  obj
}{
	{"Äpfel", obj{"price": 2, "color": "red", "tags": list{"fruit", "fresh"}, "stock": true,
		"day": "2024-01-02", "maker": obj{"city": "Ulm"}, "free": obj{"n": 1, "s": "1"}}},
	{"apple", obj{"price": 10, "color": "green", "tags": list{"fruit"}, "stock": false,
		"day": "2023-12-31", "maker": obj{"city": "Bonn"}, "free": obj{"n": 2}}},
	{"Banana", obj{"price": 1.5, "color": "yellow", "tags": list{"fruit", "fresh"}, "stock": true,
		"day": "2024-02-01"}},
	{"cherry", obj{"price": -3, "color": "Red", "tags": list{}, "stock": false, "maker": obj{"city": "Ulm"}}},
	{"Date", obj{"color": "brown", "day": "2024-01-10"}},
	{"elder", obj{"price": 10, "color": "red, dark"}},
}

// shop makes a model with the products, published in that order, and returns its list route.
func shop(t *testing.T, s *suite, k *client) string {
	t.Helper()
	model := s.model(t, obj{"fields": list{
		field("price", "number", nil), field("color", "text", obj{"searchable": true}),
		field("tags", "multiselect", obj{"options": list{"fruit", "fresh"}}), field("stock", "boolean", nil),
		field("day", "date", nil),
		field("maker", "group", obj{"fields": list{field("city", "text", nil)}}), field("free", "json", nil),
	}})
	for _, p := range products {
		k.publish(t, model, p.title, p.data)
	}
	return "/" + model
}

func titles(a answer) string { return strings.Join(column(a.get("data"), "title"), " ") }

func pages(t *testing.T, s *suite) {
	k := s.key(t, nil)
	l := "GET " + shop(t, s, k)
	k.run(t,
		step{name: "defaults", call: l, status: 200, want: obj{"meta.page": 1, "meta.per_page": 25,
			"meta.total": 6, "meta.next_cursor": nil, "meta.total_relation": nil, "data.#": 6}},
		step{name: "newest first", call: l, status: 200,
			want: obj{"data.0.title": "elder", "data.5.title": "Äpfel"}},
		step{name: "second page", call: l + "?page=2&per_page=4", status: 200,
			want: obj{"meta.page": 2, "meta.per_page": 4, "meta.total": 6, "data.#": 2}},
		step{name: "past the end", call: l + "?page=9&per_page=4", status: 200,
			want: obj{"meta.page": 9, "meta.total": 6, "data": list{}}},
		step{name: "far past the end", call: l + "?page=1000000&per_page=100", status: 200,
			want: obj{"meta.total": 6, "data": list{}}},
		step{name: "capped", call: l + "?per_page=5000", status: 200,
			want: obj{"meta.per_page": 100, "data.#": 6}},
	)
	var seen []string
	for page := 1; page <= 3; page++ {
		seen = append(seen,
			column(k.ok(t, 200, l+"?sort=title&per_page=2&page="+strconv.Itoa(page),
				nil).get("data"), "id")...)
	}
	if all := column(k.ok(t, 200, l+"?sort=title", nil).get("data"), "id"); !slices.Equal(seen, all) {
		t.Errorf("pages give %v, the list %v", seen, all)
	}
}

func cursors(t *testing.T, s *suite) {
	k := s.key(t, nil)
	l := "GET " + shop(t, s, k)
	for _, q := range []string{"", "&sort=title", "&sort=-data.price", "&sort=data.color,-title",
		"&filter%5Bdata.stock%5D=true", "&q=red"} {
		t.Run("walk"+q, func(t *testing.T) {
			all := column(k.ok(t, 200, l+"?per_page=100"+q, nil).get("data"), "id")
			var seen []string
			cursor := ""
			for range 10 {
				a := k.ok(t, 200, l+"?per_page=2"+q+cursor, nil)
				seen = append(seen, column(a.get("data"), "id")...)
				next, ok := a.get("meta.next_cursor").(string)
				if !ok {
					break
				}
				cursor = "&cursor=" + url.QueryEscape(next)
			}
			if !slices.Equal(seen, all) {
				t.Errorf("the walk gives %v, the list %v", seen, all)
			}
		})
	}
	t.Run("while others write", func(t *testing.T) {
		first := k.ok(t, 200, l+"?per_page=2&sort=title", nil)
		k.create(t, strings.TrimPrefix(l, "GET /"), obj{"title": "aaa", "status": "published"})
		next := k.ok(t, 200,
			l+"?per_page=100&sort=title&cursor="+url.QueryEscape(first.str(t, "meta.next_cursor")), nil)
		if got := titles(next); got != "Banana cherry Date elder" {
			t.Errorf("after the first two: %s", got)
		}
	})
}

func sorts(t *testing.T, s *suite) {
	k := s.key(t, nil)
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
			if got := titles(k.ok(t, 200, l+sort, nil)); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func filters(t *testing.T, s *suite) {
	k := s.key(t, nil)
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
			a := k.ok(t, 200, base+q, nil)
			got := titles(a)
			if n := len(strings.Fields(row.want)); got != row.want || compare(a.get("meta.total"), n) != nil {
				t.Errorf("got %s, total %v, want %s", got, a.get("meta.total"), row.want)
			}
		})
	}
	long := base + "&filter[title]=" + strings.Repeat("%C3%A4", 3400)
	k.run(t,
		step{name: "3,400 characters", call: long, status: 200, want: obj{"meta.total": 0}},
		step{name: "3,600 characters", call: long + strings.Repeat("%C3%A4", 200), status: 400, code: "BAD_REQUEST"},
	)
}

func fieldLists(t *testing.T, s *suite) {
	k := s.key(t, nil)
	l := shop(t, s, k)
	for _, path := range []string{l + "?sort=created_at&", l + "/aepfel?", l + "/apfel?"} {
		a := k.do(t, "GET "+path+"fields=title,data.price", nil)
		if a.Status == 404 {
			continue // the entry has only one of the two slugs
		}
		one := a.get("data")
		if items, ok := one.(list); ok {
			one = items[0]
		}
		want := obj{"id": dig(one, "id"), "title": "Äpfel", "data": obj{"price": 2}}
		if err := compare(one, want); a.Status != 200 || err != nil {
			t.Errorf("%s: %d %v", path, a.Status, err)
		}
	}
	k.run(t,
		step{name: "one column", call: "GET " + l + "?fields=slug&per_page=1&sort=-created_at",
			status: 200, want: obj{"data.0.slug": "elder", "data.0.title": nil, "data.0.data": nil,
				"data.0.id": present}},
		step{name: "all of data", call: "GET " + l + "?fields=data&per_page=1&sort=-created_at",
			status: 200, want: obj{"data.0.data.color": "red, dark", "data.0.title": nil}},
	)
}

func visibleFields(t *testing.T, s *suite) {
	model := s.model(t,
		obj{"fields": list{field("open", "text", obj{"searchable": true}),
			field("hidden", "text", obj{"searchable": true})}, "visible_fields": list{"open"}})
	plain, admin := s.key(t, nil), s.adminKey(t)
	word := strings.ReplaceAll(unique("zq"), "-", "")
	id := admin.publish(t, model, "Seen", obj{"open": "o", "hidden": word})
	plain.run(t,
		step{name: "entry", call: "GET /" + model + "/" + id, status: 200,
			want: obj{"data.data": obj{"open": "o"}}},
		step{name: "list", call: "GET /" + model, status: 200, want: obj{"data.0.data": obj{"open": "o"}}},
		step{name: "filter", call: "GET /" + model + "?filter%5Bdata.hidden%5D=" + word,
			status: 400, code: "BAD_REQUEST"},
		step{name: "sort", call: "GET /" + model + "?sort=data.hidden", status: 400, code: "BAD_REQUEST"},
		step{name: "fields", call: "GET /" + model + "?fields=data.hidden", status: 400, code: "BAD_REQUEST"},
		step{name: "include", call: "GET /" + model + "?include=hidden", status: 400, code: "BAD_REQUEST"},
		step{name: "q", call: "GET /" + model + "?q=" + word, status: 200, want: obj{"meta.total": 0}},
		step{name: "search", call: "GET /search?q=" + word, status: 200, want: obj{"meta.total": 0}},
	)
	admin.run(t,
		step{name: "admin entry", call: "GET /" + model + "/" + id, status: 200,
			want: obj{"data.data.hidden": word}},
		step{name: "admin filter", call: "GET /" + model + "?filter%5Bdata.hidden%5D=" + word,
			status: 200, want: obj{"meta.total": 1}},
		step{name: "admin q", call: "GET /" + model + "?q=" + word, status: 200, want: obj{"meta.total": 1}},
		step{name: "admin search", call: "GET /search?q=" + word, status: 200, want: obj{"meta.total": 1}},
	)
}

func modelDefaults(t *testing.T, s *suite) {
	model := s.model(t, obj{"fields": list{field("rank", "number", nil)},
		"default_sort": "-data.rank,title", "max_per_page": 2})
	k := s.key(t, nil)
	for i, title := range []string{"c", "a", "b", "d"} {
		k.publish(t, model, title, obj{"rank": []int{1, 2, 2, 3}[i]})
	}
	k.run(t,
		step{name: "sort and cap", call: "GET /" + model, status: 200,
			want: obj{"meta.per_page": 2, "meta.total": 4, "data.0.title": "d", "data.1.title": "a"}},
		step{name: "capped", call: "GET /" + model + "?per_page=50&page=2", status: 200,
			want: obj{"meta.per_page": 2, "data.0.title": "b", "data.1.title": "c"}},
	)
	s.admin(t).ok(t, 200, "PUT /models/"+model, obj{"max_per_page": 3, "default_sort": "title"})
	k.run(t, step{name: "changed at once", call: "GET /" + model, status: 200,
		want: obj{"meta.per_page": 3, "data.0.title": "a", "data.2.title": "c"}})
}

func listSearch(t *testing.T, s *suite) {
	k := s.key(t, nil)
	l := "GET " + shop(t, s, k)
	for q, want := range map[string]string{
		"q=green": "apple", "q=RED&sort=created_at": "Äpfel cherry elder", "q=apfel": "Äpfel",
		"q=red+dark": "elder", "q=app": "apple", "q=gre+apple": "", "q=apple+gre": "apple",
		"q=red&filter%5Bdata.stock%5D=false": "cherry", "q=nothing": "",
	} {
		t.Run(q, func(t *testing.T) {
			a := k.ok(t, 200, l+"?"+q, nil)
			if got := titles(a); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if err := compare(a.get("meta.total"), len(strings.Fields(want))); err != nil {
				t.Errorf("total: %v", err)
			}
		})
	}
	t.Run("many", func(t *testing.T) {
		model := s.model(t, nil)
		for i := range 30 {
			k.publish(t, model, fmt.Sprintf("Entry %02d", i),
				obj{"body": "needle " + strings.Repeat("hay ", i)})
		}
		k.step(t, step{call: "GET /" + model + "?q=needle&per_page=10&page=3", status: 200,
			want: obj{"meta.total": 30, "data.#": 10}})
	})
}

// anyAndMore joins filters for any status or locale with others on the same name.
func anyAndMore(t *testing.T, s *suite) {
	model, k := s.model(t, obj{"localized": true}), s.adminKey(t)
	word := strings.ReplaceAll(unique("zq"), "-", "")
	for _, status := range []string{"draft", "published", "archived"} {
		k.create(t, model, obj{"title": status + " " + word, "status": status})
	}
	l := "GET /" + model + "?sort=title&"
	for filters, want := range map[string]int{
		"filter[status][eq]=any&filter[status][ne]=published":                      2,
		"filter[status][eq]=any&filter[status][nin]=draft,archived":                1,
		"filter[status][eq]=any&filter[status][in]=archived":                       1,
		"filter[locale][eq]=any&filter[locale][ne]=" + s.defaultLocale(t):          0,
		"filter[locale][eq]=any&filter[locale][starts_with]=" + s.defaultLocale(t): 1,
	} {
		k.step(t, step{name: filters, call: l + filters, status: 200, want: obj{"meta.total": want}})
	}
	k.step(t, step{name: "search", call: "GET /search?q=" + word + "&filter[locale][eq]=any&filter[locale][ne]=xx",
		status: 200, want: obj{"meta.total": 1}})
	flat := s.model(t, nil)
	k.create(t, flat, obj{"title": "x", "status": "published"})
	k.step(t, step{name: "not localized", call: "GET /" + flat + "?filter[locale][eq]=any&filter[locale][ne]=xx",
		status: 200, want: obj{"meta.total": 1}})
}
