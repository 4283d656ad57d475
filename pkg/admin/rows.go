package admin

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/input"
)

// row is one item of a list of definitions as a form has it: texts by the names of the inputs, and
// the rows inside of it.
type row struct {
	text map[string]string
	rows []row
}

// rowShape says how the inputs of a row become JSON and back.
type rowShape struct {
	texts, flags, lists []string
	json                map[string]string // names of what is JSON itself, with words for what it must be
	inner               string            // name of a list of rows of this shape, "" for none
}

// rowsOf are the rows of stored definitions.
func rowsOf[T any](s rowShape, list []T) ([]row, error) {
	rows := make([]row, len(list))
	for i, v := range list {
		text, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		var raw map[string]json.RawMessage
		if err := json.Unmarshal(text, &raw); err != nil {
			return nil, err
		}
		if rows[i], err = s.row(raw); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func (s rowShape) row(raw map[string]json.RawMessage) (row, error) {
	r := row{text: map[string]string{}}
	for key, v := range raw {
		var text string
		var list []string
		var rows []json.RawMessage
		var indented bytes.Buffer
		var err error
		switch {
		case slices.Contains(s.texts, key):
			err = json.Unmarshal(v, &text)
		case slices.Contains(s.lists, key):
			err = json.Unmarshal(v, &list)
			text = strings.Join(list, "\n")
		case slices.Contains(s.flags, key):
			text = string(v)
		case s.json[key] != "":
			err = json.Indent(&indented, v, "", "  ")
			text = indented.String()
		case key == s.inner:
			if err = json.Unmarshal(v, &rows); err == nil {
				r.rows, err = rowsOf(s, rows)
			}
		}
		if err != nil {
			return r, err
		}
		r.text[key] = text
	}
	return r, nil
}

// postedRows are the rows of a form, and those inside of them under the same key; ok is false where
// the body has none. Rows in which nothing is named are left out, unless the form is not sent for
// good.
func (c *Call) postedRows(body map[string]any, key string) (rows []row, ok bool) {
	posted, ok := body[key].(map[string]any)
	if !ok {
		return nil, false
	}
	for _, index := range numeric(posted) {
		inputs, ok := posted[index].(map[string]any)
		if !ok {
			continue
		}
		r := row{text: map[string]string{}}
		for key, v := range inputs {
			if form, ok := v.(input.FormValue); ok {
				r.text[key] = lastOf(form)
			}
		}
		r.rows, _ = c.postedRows(inputs, key)
		if c.step != nil || len(r.rows) > 0 || strings.TrimSpace(r.text["name"]+r.text["label"]) != "" {
			rows = append(rows, r)
		}
	}
	return rows, true
}

// numeric are the keys of an object that are indexes, in their order.
func numeric(object map[string]any) []string {
	keys := slices.DeleteFunc(slices.Collect(maps.Keys(object)), func(key string) bool {
		n, err := strconv.Atoi(key)
		return err != nil || n < 0
	})
	slices.SortFunc(keys, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	return keys
}

// rowsBody puts the rows of a form where JSON has a list.
func (c *Call) rowsBody(body map[string]any, key string, s rowShape) error {
	rows, ok := c.postedRows(body, key)
	if !ok || !c.isForm {
		return nil
	}
	p := cms.Problems{}
	body[key] = s.objects(rows, key, p)
	return p.Err()
}

func (s rowShape) objects(rows []row, path string, p cms.Problems) []any {
	list := make([]any, len(rows))
	for i, r := range rows {
		list[i] = s.object(r, path+"."+strconv.Itoa(i)+".", p)
	}
	return list
}

// object is what a row describes, without what is empty.
func (s rowShape) object(r row, path string, p cms.Problems) map[string]any {
	object := map[string]any{}
	for _, key := range s.texts {
		if r.text[key] != "" {
			object[key] = r.text[key]
		}
	}
	for _, key := range s.flags {
		object[key] = r.text[key] == "true"
	}
	for _, key := range s.lists {
		if lines := linesOf(r.text[key]); lines != nil {
			object[key] = lines
		}
	}
	for key, kind := range s.json {
		text := strings.TrimSpace(r.text[key])
		if text == "" {
			continue
		}
		v, err := cms.DecodeJSON([]byte(text))
		if err != nil {
			p.Add(path+key, "must be %s", kind)
		}
		object[key] = v
	}
	if len(r.rows) > 0 {
		object[s.inner] = s.objects(r.rows, path+s.inner, p)
	}
	return object
}

// linesOf is a text as a list of its lines, nil where there are none.
func linesOf(text string) []any {
	var list []any
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// rowInput makes the inputs of the row at a place.
func rowInput(at string, r row) func(key, label, kind, help string) Field {
	return func(key, label, kind, help string) Field {
		return Field{Name: at + "." + key, Label: label, Kind: kind, Value: r.text[key], Help: help,
			Kept: true}
	}
}

// rowTitle names a row for people.
func rowTitle(i int, r row) string {
	title := "Field " + strconv.Itoa(i+1)
	if name := cmp.Or(r.text["label"], r.text["name"]); name != "" {
		title += ": " + name
	}
	return title
}
