package e2e

import (
	"encoding/csv"
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"
)

var csvScenarios = []scenario{{name: "csv/export", run: exportCSV}}

// rowsOf reads a CSV answer: the names of its columns, and its rows.
func rowsOf(t *testing.T, a answer) (header []string, rows [][]string) {
	t.Helper()
	text, ok := strings.CutPrefix(string(a.Raw), "\ufeff")
	if !ok || a.Header.Get("Content-Type") != "text/csv; charset=utf-8" || !strings.Contains(text, "\r\n") {
		t.Errorf("%s %q", a.Header.Get("Content-Type"), text[:min(len(text), 40)])
	}
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all[0], all[1:]
}

// exportCSV exports entries with every kind of value (extensions §16).
func exportCSV(t *testing.T, s *suite) {
	k, admin := s.adminKey(t), s.admin(t)
	model := s.model(t, obj{"fields": list{
		field("text", "text", nil), field("n", "number", nil), field("yes", "boolean", nil), field("day", "date", nil),
		field("tags", "multiselect", obj{"options": list{"a|b", `c\d`, "=e"}}), field("any", "json", nil),
		field("size", "group", obj{"fields": list{field("w", "number", nil),
			field("in", "group", obj{"fields": list{field("h", "text", nil)}})}}),
		field("steps", "list", obj{"fields": list{field("x", "text", nil)}}),
	}})
	title := "=Sum " + unique("t")
	id := k.publish(t, model, title, obj{"text": "line\n\"quoted\", and more", "n": -2.5, "yes": true, "day": "2026-01-31",
		"tags": list{"a|b", `c\d`}, "any": obj{"a": list{1}}, "size": obj{"w": 3, "in": obj{"h": `\N`}}, "steps": list{obj{"x": "y"}}})
	file := "GET /models/" + model + "/entries.csv"
	header, rows := rowsOf(t, admin.ok(t, 200, file, nil))
	want := strings.Split("id,locale,slug,title,status,seo.title,seo.description,data.text,data.n,data.yes,data.day,"+
		"data.tags,data.any,data.size.w,data.size.in.h,data.steps", ",")
	if !reflect.DeepEqual(header, want) {
		t.Errorf("columns %v", header)
	}
	slug := k.ok(t, 200, "GET /"+model+"/"+id, nil).str(t, "data.slug")
	if row := [][]string{{id, "en", slug, "'" + title, "published", "", "", "line\n\"quoted\", and more", "-2.5", "true", "2026-01-31",
		`a\|b|c\\d`, `{"a":[1]}`, "3", `\\N`, `[{"x":"y"}]`}}; !reflect.DeepEqual(rows, row) {
		t.Errorf("rows\n%q, want\n%q", rows, row)
	}
	for i := range 3 {
		k.create(t, model, obj{"title": fmt.Sprint("Draft ", i)})
	}
	header, rows = rowsOf(t, admin.ok(t, 200, file+"?columns=published_at,title&filter[status]=draft&sort=title", nil))
	if !reflect.DeepEqual(header, []string{"published_at", "title"}) ||
		!reflect.DeepEqual(rows, [][]string{{"", "Draft 0"}, {"", "Draft 1"}, {"", "Draft 2"}}) {
		t.Errorf("%v %v", header, rows)
	}
	if _, rows = rowsOf(t, admin.ok(t, 200, file+"?"+url.Values{"filter[data.n][lt]": {"0"}}.Encode(), nil)); len(rows) != 1 {
		t.Errorf("a filter leaves %v", rows)
	}
	admin.step(t, step{call: file + "?columns=id,data.none", status: 400, code: "BAD_REQUEST"})
	admin.step(t, step{call: file + "?filter[none]=1", status: 400, code: "BAD_REQUEST"})
	admin.step(t, step{call: "GET /models/" + unique("none") + "/entries.csv", status: 404, code: "NOT_FOUND"})
}
