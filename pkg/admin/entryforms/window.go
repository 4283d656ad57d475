package entryforms

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/site"
)

// Window is the part of a long list that a form shows. A save merges its rows with those that are stored in their
// place, and leaves the other rows of the list as they are.
type Window struct {
	Before, After int // rows that are not shown
	Rows          []any
}

const (
	maxListBytes  = 240 << 10 // of the inputs of all lists of an entry, about
	maxWindowRows = 100
	// Bytes of the parts of a form, about.
	rowBytes, inputBytes, lineBytes, pickBytes, choiceBytes = 1500, 450, 12, 1500, 1000
)

// page returns the window as an input of a form has it, nil for a list that is shown as a whole.
func (w *Window) page() *ui.RowPage {
	return &ui.RowPage{Before: w.Before, Shown: len(w.Rows), After: w.After}
}

// RowsOf returns the rows of a list that a form shows, and which part they are, nil if they are all.
func RowsOf(v any) ([]any, *ui.RowPage) {
	if w, ok := v.(Window); ok {
		return w.Rows, w.page()
	}
	rows, _ := v.([]any) // nil has no rows
	return rows, nil
}

// readWindow reads the hidden input of a list. ok is false for a list that the form has as a whole.
func readWindow(sent any) (w Window, ok bool) {
	text, _ := sent.(string)
	before, after, two := strings.Cut(text, " ")
	var err, other error
	w.Before, err = strconv.Atoi(before)
	w.After, other = strconv.Atoi(after)
	ok = two && err == nil && other == nil && w.Before >= 0 && w.After >= 0
	if !ok {
		return Window{}, false
	}
	return w, true
}

// Windows returns the values as a form shows them. If all lists together are too long for a page, a window takes the
// place of each long one. The query says where each begins: rows.data.list=200 with row 200, and -200 ends there.
func (s Stored) Windows(m *site.Model, query url.Values) Stored {
	data := map[string]any{}
	for i := range m.Fields {
		data[m.Fields[i].Name] = s.Values["data."+m.Fields[i].Name]
	}
	shown := Stored{Values: maps.Clone(s.Values), series: s.series}
	for name, v := range (pager{query}).fields(m.Fields, "data", data, maxListBytes) {
		shown.Values["data."+name] = v
	}
	return shown
}

// pageKey starts the names of inputs that ask for another part of a list.
const pageKey = "_rows."

// PageQuery returns the query that shows the parts of long lists that a form asks for, or else those that it shows, to
// be appended to a URL that has parameters already.
func PageQuery(form url.Values) string {
	query, place := url.Values{}, ""
	for name, values := range form {
		key, isList := strings.CutSuffix(name, "._rows")
		if w, ok := readWindow(values[0]); ok && (isList || len(values) > 1) && w.Before > 0 {
			query.Set("rows."+key, strconv.Itoa(w.Before+1))
		}
	}
	for name, values := range form {
		if key, ok := strings.CutPrefix(name, pageKey); ok {
			for _, at := range values {
				if at != "" {
					place = "#f-" + key
					query.Set("rows."+key, at)
				}
			}
		}
	}
	if len(query) == 0 {
		return ""
	}
	return "&" + query.Encode() + place
}

// pager cuts windows out of long lists.
type pager struct{ query url.Values }

// fields shares the bytes of a part of a form among the lists in it. Short lists leave the rest to long ones.
func (p pager) fields(fields []cms.Field, key string, object map[string]any, bytes int) map[string]any {
	type list struct {
		f     *cms.Field
		bytes int
	}
	var lists []list
	for i := range fields {
		if f := &fields[i]; f.HasFields() || f.IsReference() {
			lists = append(lists, list{f, weightOf(f, object[f.Name])})
		}
	}
	slices.SortStableFunc(lists, func(a, b list) int { return cmp.Compare(a.bytes, b.bytes) })
	cut := maps.Clone(object)
	for i, l := range lists {
		share := bytes / (len(lists) - i)
		if l.bytes > share {
			cut[l.f.Name] = p.cut(l.f, key+"."+l.f.Name, object[l.f.Name], share)
		}
		bytes -= min(l.bytes, share)
	}
	return cut
}

func (p pager) cut(f *cms.Field, key string, v any, bytes int) any {
	switch v := v.(type) {
	case map[string]any:
		if f.Type == cms.TypeGroup {
			return p.fields(f.Fields, key, v, bytes)
		}
	case []any:
		return p.window(f, key, v, bytes)
	}
	return v
}

// window returns the rows of a list that the query asks for, as many as fit. There is always one.
func (p pager) window(f *cms.Field, key string, items []any, bytes int) Window {
	at, _ := strconv.Atoi(p.query.Get("rows." + key)) // a text that is no number counts as 0
	from := max(0, min(at, len(items))-1)
	if at < 0 {
		from = min(-at, len(items))
	}
	to, left := from, bytes
	var w Window
	take := func(i int) (row any, fits bool) {
		if row = items[i]; f.IsReference() {
			left -= choiceBytes
		} else if object, ok := row.(map[string]any); ok {
			fields := fieldsOfRow(f, object)
			object = p.fields(fields, key+"."+strconv.Itoa(i), object, bytes/4)
			row = object
			left -= rowBytes + weightOfFields(fields, object)
		}
		return row, len(w.Rows) == 0 || left >= 0 && len(w.Rows) < maxWindowRows
	}
	for at < 0 && from > 0 {
		row, fits := take(from - 1)
		if !fits {
			break
		}
		from, w.Rows = from-1, slices.Insert(w.Rows, 0, row)
	}
	for (at >= 0 || from == 0) && to < len(items) {
		row, fits := take(to)
		if !fits {
			break
		}
		to, w.Rows = to+1, append(w.Rows, row)
	}
	w.Before, w.After = from, len(items)-to
	return w
}

// weightOf estimates the bytes of the inputs of a value in a page.
func weightOf(f *cms.Field, v any) int {
	if object, ok := v.(map[string]any); ok && f.Type == cms.TypeGroup {
		return weightOfFields(f.Fields, object)
	}
	rows, _ := RowsOf(v)
	switch {
	case f.IsReference():
		return pickBytes + choiceBytes*len(rows)
	case f.HasFields():
		bytes := inputBytes
		for _, item := range rows {
			row, _ := item.(map[string]any)
			bytes += rowBytes + weightOfFields(fieldsOfRow(f, row), row)
		}
		return bytes
	}
	text, _ := v.(string)
	return inputBytes + len(text) + lineBytes*strings.Count(text, "\n")
}

func weightOfFields(fields []cms.Field, object map[string]any) (bytes int) {
	for i := range fields {
		bytes += weightOf(&fields[i], object[fields[i].Name])
	}
	return bytes
}

// whole returns a value with the rows of its windows in their place. With gaps set, nil stands for each row before.
func whole(f *cms.Field, v any, gaps bool) any {
	switch v := v.(type) {
	case Window:
		if gaps {
			v.Rows = slices.Concat(make([]any, v.Before), v.Rows)
		}
		return whole(f, listOf(v.Rows), gaps)
	case []any:
		if f.HasFields() {
			rows := make([]any, len(v))
			for i, item := range v {
				if row, ok := item.(map[string]any); ok {
					rows[i] = wholeFields(fieldsOfRow(f, row), row, gaps)
				}
			}
			return rows
		}
	case map[string]any:
		if f.Type == cms.TypeGroup {
			return wholeFields(f.Fields, v, gaps)
		}
	}
	return v
}

// ShownRows returns an entry with the rows of its windows in place of them. Nil stands for each row before.
func ShownRows(m *site.Model, e *cms.Entry) *cms.Entry {
	shown := *e
	shown.Data = wholeFields(m.Fields, e.Data, true)
	return &shown
}

// Part returns an entry with the rows of long lists that a form would show, as ShownRows does, and the keys of the
// fields that have such lists.
func Part(m *site.Model, e *cms.Entry, query url.Values) (part *cms.Entry, long []string) {
	all := Stored{Values: storedValues(m, e)}
	shown := all.Windows(m, query)
	for key, v := range shown.Values {
		if f := FieldOf(m, key); (f.HasFields() || f.IsReference()) && weightOf(f, v) < weightOf(f, all.Values[key]) {
			long = append(long, key)
		}
	}
	return ShownRows(m, shown.Entry(e)), long
}

// HasWindow reports whether a form shows a part of a list in a field.
func HasWindow(form url.Values, key string) bool {
	for name := range form {
		if list, ok := strings.CutSuffix(name, "._rows"); ok && form.Get(name) != "" && ui.Within(list+".", key) {
			return true
		}
	}
	return false
}

func wholeFields(fields []cms.Field, object map[string]any, gaps bool) map[string]any {
	return mapFields(fields, object, func(f *cms.Field, v any) any { return whole(f, v, gaps) })
}
