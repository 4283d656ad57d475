package ui

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/say"
)

// With returns the query string of the first page of the same list with some parameters changed.
// pairs are names and values; the value "" removes a parameter.
func With(query url.Values, pairs ...string) string {
	next := maps.Clone(query)
	for _, name := range []string{"page", "cursor", "ok", "all", "was"} {
		next.Del(name)
	}
	maps.DeleteFunc(next, Unset)
	for i := 0; i+1 < len(pairs); i += 2 {
		next.Del(pairs[i])
		if pairs[i+1] != "" {
			next.Set(pairs[i], pairs[i+1])
		}
	}
	if len(next) == 0 {
		return "?all=true" // overrides the remembered filters
	}
	return "?" + next.Encode()
}

// Unset reports whether a parameter says nothing about a list: an empty choice of a form, or a part of a step. An
// empty list of columns counts as set.
func Unset(name string, values []string) bool {
	return name != "columns" && strings.Join(values, "") == "" || strings.HasPrefix(name, "_")
}

// Kept returns a hidden input whose value stays when the form is shown again.
func Kept(name, value string) Field {
	return Field{Name: name, Kind: "hidden", Value: value, Kept: true}
}

// Hidden returns hidden inputs that keep the query parameters in a form, except those for paging
// and those in own, which are inputs of the form.
func Hidden(query url.Values, own ...string) []Field {
	var fields []Field
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if slices.Contains(own, name) || slices.Contains([]string{"page", "cursor", "ok", "all", "was"},
			name) || Unset(name, query[name]) {
			continue
		}
		for _, value := range query[name] {
			fields = append(fields, Field{Name: name, Kind: "hidden", Value: value})
		}
	}
	return fields
}

// Heads returns the headers of columns, with links that sort by paths[i]. A column with the path ""
// cannot be sorted. standard is the default sort order.
func Heads(query url.Values, titles []say.Text, paths []string, standard string) []Head {
	sort := cmp.Or(query.Get("sort"), standard)
	first, _, _ := strings.Cut(sort, ",")
	path, desc := strings.CutPrefix(first, "-")
	list := make([]Head, len(titles))
	for i, title := range titles {
		list[i].Title = title
		if paths[i] == "" {
			continue
		}
		list[i].Href = With(query, "sort", paths[i])
		if path == paths[i] && desc {
			list[i].Order = "descending"
		} else if path == paths[i] {
			list[i].Order, list[i].Href = "ascending", With(query, "sort", "-"+path)
		}
	}
	return list
}

// PageLinks returns links to the first and last pages of a list and to those around the shown one. A
// link without a URL is a gap.
func PageLinks(page, last int, at func(page int) string) (links []Tab) {
	for n := 1; n <= last; n++ {
		switch {
		case n == 1 || n == last || n >= page-2 && n <= page+2:
			links = append(links, Tab{Text: say.Number(n), Href: at(n), Here: n == page})
		case links[len(links)-1].Href != "":
			links = append(links, Tab{Text: "…"})
			n = map[bool]int{true: page - 3, false: last - 1}[n < page]
		}
	}
	return links
}
