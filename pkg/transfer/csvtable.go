package transfer

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/csvfile"
	"headless/pkg/slice"
)

// CSVTable writes entries of a model as rows of a CSV file (RFC 4180), which can be sent back without
// a change (extensions §16).
type CSVTable struct {
	columns []csvColumn
	text    bytes.Buffer
	Rows    int // written so far, without the header
}

// csvColumn is a column and the field of its values, nil outside data.
type csvColumn struct {
	name  string
	field *cms.Field
}

// askedFor names the columns that a file has only if they are asked for.
var askedFor = []string{"published_at", "seo.noindex"}

// NewCSVTable returns a table with a header row. columns is a list of names, of which repeated ones count once; ""
// means all but askedFor.
// Error: BAD_REQUEST for an unknown column.
func NewCSVTable(m *cms.Model, columns string) (*CSVTable, error) {
	known := csvColumns(m)
	t := &CSVTable{}
	if columns == "" {
		t.columns = slices.DeleteFunc(slices.Clone(known),
			func(c csvColumn) bool { return slices.Contains(askedFor, c.name) })
	} else {
		for name := range strings.SplitSeq(columns, ",") {
			at := slices.IndexFunc(known, func(c csvColumn) bool { return c.name == name })
			if at < 0 {
				names := slice.Map(known, func(k csvColumn) string { return k.name })
				return nil, cms.UnknownName("columns", name, names...)
			}
			if !slices.Contains(t.columns, known[at]) {
				t.columns = append(t.columns, known[at])
			}
		}
	}
	t.text.WriteString("\ufeff")
	header := slice.Map(t.columns, func(c csvColumn) string { return c.name })
	csvfile.Write(&t.text, header)
	return t, nil
}

// csvColumns returns all columns of a model.
func csvColumns(m *cms.Model) []csvColumn {
	return appendCSVColumns([]csvColumn{{name: "id"}, {name: "locale"}, {name: "slug"}, {name: "title"},
		{name: "status"}, {name: "seo.title"}, {name: "seo.description"},
		{"seo.noindex", &cms.Field{Type: cms.TypeBoolean}}, {name: "published_at"}}, "data", m.Fields)
}

// appendCSVColumns appends a column for each field, and for those of groups at any depth.
func appendCSVColumns(columns []csvColumn, path string, fields []cms.Field) []csvColumn {
	for i := range fields {
		f := &fields[i]
		if f.Type == cms.TypeGroup {
			columns = appendCSVColumns(columns, path+"."+f.Name, f.Fields)
		} else {
			columns = append(columns, csvColumn{path + "." + f.Name, f})
		}
	}
	return columns
}

// Add writes an entry.
func (t *CSVTable) Add(e *cms.Entry) error {
	row := make([]string, len(t.columns))
	for i, c := range t.columns {
		var err error
		if row[i], err = c.cell(e); err != nil {
			return err
		}
	}
	t.Rows++
	csvfile.Write(&t.text, row)
	return nil
}

// Bytes returns the file as far as it is written.
func (t *CSVTable) Bytes() []byte { return t.text.Bytes() }

// cell returns the cell of an entry.
func (c csvColumn) cell(e *cms.Entry) (string, error) {
	switch c.name {
	case "id":
		return e.ID, nil
	case "locale":
		return e.Locale, nil
	case "slug":
		return csvText(e.Slug), nil
	case "title":
		return csvText(e.Title), nil
	case "status":
		return string(e.Status), nil
	case "seo.title":
		return csvText(e.SEO.Title), nil
	case "seo.description":
		return csvText(e.SEO.Description), nil
	case "seo.noindex":
		return strconv.FormatBool(e.SEO.Noindex), nil
	case "published_at":
		if e.PublishedAt.IsZero() {
			return "", nil
		}
		return e.PublishedAt.String(), nil
	}
	value := any(e.Data)
	for name := range strings.SplitSeq(strings.TrimPrefix(c.name, "data."), ".") {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	return csvValue(c.field, value)
}

// csvValue returns the cell of a value.
func csvValue(f *cms.Field, v any) (string, error) {
	if v == nil {
		return "", nil
	}
	items, isList := v.([]any)
	switch {
	case f.HasFields() || f.Type == cms.TypeJSON:
		raw, err := cms.Marshal(v)
		return string(raw), err
	case isList:
		texts := make([]string, len(items))
		for i, item := range items {
			text, _ := item.(string)
			if len(f.Models) > 0 {
				_, text = f.Target(item)
			}
			texts[i] = strings.NewReplacer(`\`, `\\`, `|`, `\|`).Replace(text)
		}
		return csvText(strings.Join(texts, "|")), nil
	}
	if len(f.Models) > 0 {
		_, id := f.Target(v)
		return id, nil
	}
	switch v := v.(type) {
	case string:
		if f.Type == cms.TypeDate || f.Type == cms.TypeDateTime {
			return v, nil
		}
		return csvText(v), nil
	case json.Number:
		return string(v), nil
	}
	raw, err := cms.Marshal(v) // a boolean
	return string(raw), err
}

// csvText returns the cell of a text: with an apostrophe before what a spreadsheet would run as a
// formula, and a backslash before what would clear the value.
func csvText(text string) string {
	if after := strings.TrimLeft(text, "'"); after != "" && strings.ContainsRune("=+-@\t\r", rune(after[0])) {
		return "'" + text
	}
	if strings.HasSuffix(text, `\N`) && strings.Trim(text[:len(text)-1], `\`) == "" {
		return `\` + text
	}
	return text
}
