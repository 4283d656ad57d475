package api_test

import (
	"fmt"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/table"
)

// TestLargestModel moves every row, counter and unique value of an entry at once, in models with as
// many of each as there may be: no transaction takes more than its share of operations.
func TestLargestModel(t *testing.T) {
	for _, uniques := range []int{0, 1, cms.MaxUnique} {
		t.Run(fmt.Sprint(uniques, " unique"), func(t *testing.T) { tryLargestModel(t, uniques) })
	}
}

func tryLargestModel(t *testing.T, uniques int) {
	c := newContent(t)
	largest := 0
	c.setFault(func(call table.Call) table.Fault {
		if call.Method == "Write" {
			largest = max(largest, len(call.Ops))
		}
		return table.Fault{}
	})
	step := func(name string) {
		t.Helper()
		c.mu.Lock()
		defer c.mu.Unlock()
		if largest > db.MaxOps {
			t.Errorf("%s: %d operations in a transaction, want at most %d", name, largest, db.MaxOps)
		}
		t.Logf("%s: %d operations", name, largest)
		largest = 0
	}
	var fields, first, second []string
	field := func(name, definition, a, b string) {
		fields = append(fields, fmt.Sprintf(`{"name": %q, %s}`, name, definition))
		first, second = append(first, fmt.Sprintf(`%q: %s`, name, a)),
			append(second, fmt.Sprintf(`%q: %s`, name, b))
	}
	for i := range uniques {
		field(fmt.Sprintf("u%d", i), `"type": "text", "unique": true`, `"one"`, `"two"`)
	}
	for i := range 40 {
		field(fmt.Sprintf("t%d", i), `"type": "text", "searchable": true`,
			fmt.Sprintf(`"one %d"`, i), fmt.Sprintf(`"two %d"`, i))
	}
	field("list", `"type": "multiselect", "options": ["a","b","c","d","e","f","g"]`,
		`["a","b","c","d","e","f"]`, `["b","c","d","e","f","g"]`)
	field("shared", `"type": "text", "translatable": false`, `"one"`, `"two"`)
	if _, err := c.models.Create(t.Context(), admin, object(t, fmt.Sprintf(
		`{"slug": "large", "name": "X", "localized": true, "fields": [%s], "indexes": [["t1","t2"],["t3","t4"],["t5","t6"]]}`,
		strings.Join(fields, ",")))); err != nil {
		t.Fatal(err)
	}
	entries := &editing.Entries{Store: c.store.Content}
	put := func(id, head string, data []string) {
		t.Helper()
		c.call(c.admin, "PUT", "/large/"+id, `{`+head+`"data": {`+strings.Join(data, ",")+`}}`).want(200, "")
		step("PUT " + head)
	}
	e := c.create("large", `{"title": "One", "status": "published", "data": {`+strings.Join(first, ",")+`}}`)
	step("create")
	all := func() {
		put(e.ID, `"title": "Two", "slug": "other", "locale": "de", "status": "draft", `, second)
		put(e.ID, `"title": "One", "slug": "one", "locale": "en", "status": "published", `, first)
	}
	all()
	put(e.ID, `"status": "archived", `, first)
	put(e.ID, `"status": "published", `, second)
	put(e.ID, `"slug": "another", `, second)
	put(e.ID, `"title": "Three", `, first)
	made := c.call(c.admin, "POST", "/large",
		`{"title": "Eins", "status": "published", "locale": "de", "translation_of": "`+
			e.ID+`", "data": {`+strings.Join(first, ",")+`}}`)
	made.want(201, "")
	step("translate")
	translation := func() any {
		return c.call(c.admin, "GET", "/large/"+made.entry().ID, "").entry().Data["shared"]
	}
	put(e.ID, "", second)
	if translation() != "two" {
		t.Error("the translation lacks the shared value")
	}
	put(e.ID, "", first)
	if translation() != "one" {
		t.Error("the translation has the former shared value")
	}
	// The same while a new generation of the index is built.
	if _, err := c.models.Update(t.Context(), admin, "large", object(t, `{"default_sort": "title"}`), nil); err != nil {
		t.Fatal(err)
	}
	put(e.ID, `"status": "draft", `, second)
	put(e.ID, `"status": "published", `, first)
	if err := entries.Reindex(t.Context()); err != nil {
		t.Errorf("reindex: %v", err)
	}
	step("reindex")
	c.call(c.admin, "PUT", "/large/"+e.ID+"/draft",
		`{"title": "Four", "data": {`+strings.Join(second, ",")+`}}`).want(200, "")
	step("draft")
	c.call(c.admin, "POST", "/large/"+e.ID+"/publish", "").want(200, "")
	step("publish")
	c.call(c.admin, "DELETE", "/large/"+e.ID, "").want(204, "")
	step("delete")
	if _, err := entries.RestoreFromTrash(t.Context(), cms.Actor{}, e.ID); err != nil {
		t.Errorf("restore: %v", err)
	}
	step("restore")
}
