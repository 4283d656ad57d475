package rowforms

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
)

// Row is one item of a list of definitions as a form sends it: values by the names of the inputs,
// and the rows inside it.
type Row struct {
	Text map[string]string
	Rows []Row
}

// RowShape says how the inputs of a row become JSON and back.
type RowShape struct {
	Texts, Flags, Lists []string
	JSON                map[string]string // inputs that hold JSON, with what each must be
	Inner               string            // name of a list of rows of this shape, "" for none
}

// RowsOf returns stored definitions as rows.
func RowsOf[T any](s RowShape, list []T) ([]Row, error) {
	rows := make([]Row, len(list))
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

func (s RowShape) row(raw map[string]json.RawMessage) (Row, error) {
	r := Row{Text: map[string]string{}}
	for key, v := range raw {
		var text string
		var list []string
		var rows []json.RawMessage
		var indented bytes.Buffer
		var err error
		switch {
		case slices.Contains(s.Texts, key):
			err = json.Unmarshal(v, &text)
		case slices.Contains(s.Lists, key):
			err = json.Unmarshal(v, &list)
			text = strings.Join(list, "\n")
		case slices.Contains(s.Flags, key):
			text = string(v)
		case s.JSON[key] != "":
			err = json.Indent(&indented, v, "", "  ")
			text = indented.String()
		case key == s.Inner:
			if err = json.Unmarshal(v, &rows); err == nil {
				r.Rows, err = RowsOf(s, rows)
			}
		}
		if err != nil {
			return r, err
		}
		r.Text[key] = text
	}
	return r, nil
}

// PostedRows returns the rows that a form sent under key, and the rows inside them under the same
// key. ok is false if the body has none. Rows without name, label and inner rows are left out,
// except in a step that only redraws the form.
func PostedRows(c *frame.Call, body map[string]any, key string) (rows []Row, ok bool) {
	posted, ok := body[key].(map[string]any)
	if !ok {
		return nil, false
	}
	for _, index := range Numeric(posted) {
		inputs, ok := posted[index].(map[string]any)
		if !ok {
			continue
		}
		r := Row{Text: map[string]string{}}
		for key, v := range inputs {
			if form, ok := v.(input.FormValue); ok {
				r.Text[key] = form.Last()
			}
		}
		r.Rows, _ = PostedRows(c, inputs, key)
		if c.Step != nil || len(r.Rows) > 0 || strings.TrimSpace(r.Text["name"]+r.Text["label"]) != "" {
			rows = append(rows, r)
		}
	}
	return rows, true
}

// Numeric returns the keys of an object that are indexes, in numeric order.
func Numeric(object map[string]any) []string {
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

// RowsBody replaces the rows that a form sent under key with the list that JSON clients send.
func RowsBody(c *frame.Call, body map[string]any, key string, s RowShape) error {
	rows, ok := PostedRows(c, body, key)
	if !ok {
		return nil
	}
	p := cms.Problems{}
	body[key] = s.Objects(rows, key, p)
	return p.Err()
}

// Objects turns rows into JSON objects. Problems are added to p below path.
func (s RowShape) Objects(rows []Row, path string, p cms.Problems) []any {
	list := make([]any, len(rows))
	for i, r := range rows {
		list[i] = s.Object(r, path+"."+strconv.Itoa(i)+".", p)
	}
	return list
}

// Object turns a row into a JSON object, without empty values.
func (s RowShape) Object(r Row, path string, p cms.Problems) map[string]any {
	object := map[string]any{}
	for _, key := range s.Texts {
		if r.Text[key] != "" {
			object[key] = r.Text[key]
		}
	}
	for _, key := range s.Flags {
		object[key] = r.Text[key] == "true"
	}
	for _, key := range s.Lists {
		if lines := LinesOf(r.Text[key]); lines != nil {
			object[key] = lines
		}
	}
	for key, kind := range s.JSON {
		text := strings.TrimSpace(r.Text[key])
		if text == "" {
			continue
		}
		v, err := cms.DecodeJSON([]byte(text))
		if err != nil {
			p.Add(path+key, "must be %s", kind)
		}
		object[key] = v
	}
	if len(r.Rows) > 0 {
		object[s.Inner] = s.Objects(r.Rows, path+s.Inner, p)
	}
	return object
}

// LinesOf returns the lines of a text that are not blank, nil if there are none.
func LinesOf(text string) []any {
	var list []any
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// RowInput returns a function that makes inputs of a row. at is the prefix of their names.
func RowInput(at string, r Row) func(key string, label say.Text, kind string, help say.Text) ui.Field {
	return func(key string, label say.Text, kind string, help say.Text) ui.Field {
		return ui.Field{Name: at + "." + key, Label: label, Kind: kind, Value: r.Text[key], Help: help, Kept: true}
	}
}

// RowTitle returns the title of a row.
func RowTitle(i int, r Row) say.Text {
	if name := cmp.Or(r.Text["label"], r.Text["name"]); name != "" {
		return say.F("Field {1}: {2}", i+1, name)
	}
	return say.F("Field {1}", i+1)
}

// Texts reads a string or a list of strings. null is an empty list.
func Texts(p cms.Problems, path string, v any) []string {
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		return []string{v}
	case []any:
		var list []string
		for _, item := range v {
			text, ok := item.(string)
			if !ok {
				p.Add(path, "must be a list of texts")
				return nil
			}
			list = append(list, text)
		}
		return list
	}
	p.Add(path, "must be a list of texts")
	return nil
}
