package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/editing"
)

// TestLargestModel moves every row, counter and unique value of an entry at once: that must fit a
// transaction.
func TestLargestModel(t *testing.T) {
	c := newContent(t)
	var fields, first, second []string
	field := func(name, definition, a, b string) {
		fields = append(fields, fmt.Sprintf(`{"name": %q, %s}`, name, definition))
		first, second = append(first, fmt.Sprintf(`%q: %s`, name, a)),
			append(second, fmt.Sprintf(`%q: %s`, name, b))
	}
	unique := 0
	define := func(body string) bool {
		_, err := c.models.Create(t.Context(), admin, object(t, body))
		return err == nil
	}
	for i := range 40 {
		field(fmt.Sprintf("t%d", i), `"type": "text", "searchable": true`,
			fmt.Sprintf(`"one %d"`, i), fmt.Sprintf(`"two %d"`, i))
	}
	field("list", `"type": "multiselect", "options": ["a","b","c","d","e","f","g"]`,
		`["a","b","c","d","e","f"]`, `["b","c","d","e","f","g"]`)
	for unique < 30 { // as many unique fields as a model may have
		more := fmt.Sprintf(`{"name": "u%d", "type": "text", "unique": true}`, unique)
		body := fmt.Sprintf(`{"slug": "try%d", "name": "X", "localized": true, "fields": [%s], "indexes": [["t1","t2"],["t3","t4"],["t5","t6"]]}`,
			unique, strings.Join(append(slices.Clone(fields), more), ","))
		if !define(body) {
			break
		}
		fields = append(fields, more)
		first, second = append(first, fmt.Sprintf(`"u%d": "one"`, unique)),
			append(second, fmt.Sprintf(`"u%d": "two"`, unique))
		unique++
	}
	if unique != cms.MaxUnique {
		t.Errorf("a model may have %d unique fields", unique)
	}
	model := fmt.Sprintf("try%d", unique-1)
	e := c.create(model, `{"title": "One", "status": "published", "data": {`+strings.Join(first, ",")+`}}`)
	c.call(c.admin, "PUT", "/"+model+"/"+e.ID,
		`{"title": "Two", "slug": "other", "locale": "de", "status": "draft", "data": {`+strings.Join(second,
			",")+`}}`).want(200, "")
	c.call(c.admin, "PUT", "/"+model+"/"+e.ID,
		`{"title": "One", "slug": "one", "locale": "en", "status": "published", "data": {`+strings.Join(first,
			",")+`}}`).want(200, "")
	// The same while a new generation of the index is built.
	if _, err := c.models.Update(t.Context(), admin, model, object(t, `{"default_sort": "title"}`), nil); err != nil {
		t.Fatal(err)
	}
	c.call(c.admin, "PUT", "/"+model+"/"+e.ID,
		`{"title": "Two", "slug": "other", "locale": "de", "status": "draft", "data": {`+strings.Join(second,
			",")+`}}`).want(200, "")
	c.call(c.admin, "PUT", "/"+model+"/"+e.ID,
		`{"title": "One", "slug": "one", "locale": "en", "status": "published", "data": {`+strings.Join(first,
			",")+`}}`).want(200, "")
	if err := (&editing.Entries{Store: c.store.Content}).Reindex(t.Context()); err != nil {
		t.Errorf("reindex: %v", err)
	}
	c.call(c.admin, "DELETE", "/"+model+"/"+e.ID, "").want(204, "")
	if _, err := (&editing.Entries{Store: c.store.Content}).RestoreFromTrash(t.Context(), cms.Actor{}, e.ID); err != nil {
		t.Errorf("restore: %v", err)
	}
}
