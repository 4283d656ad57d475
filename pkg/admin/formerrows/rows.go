package formerrows

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/site"
)

// Has reports whether each row of a field is compared by itself.
func Has(f *cms.Field) bool { return f.Type == cms.TypeList || f.Type == cms.TypeBlocks }

// Digests returns the digests of the rows of an entry, each after the key of its field.
func Digests(m *site.Model, e *cms.Entry) map[string]bool {
	digests := map[string]bool{}
	for i := range m.Fields {
		f := &m.Fields[i]
		if !Has(f) {
			continue
		}
		rows, _ := e.Data[f.Name].([]any)
		for _, row := range rows {
			digests["data."+f.Name+" "+ui.Digest(row)] = true
		}
	}
	return digests
}

// Find returns the index that a row of a version has now, -1 if it is not there any more. Rows of a draft have
// their ids from the version below it; other rows are found if they are as they were.
func Find(m *site.Model, now *cms.Entry, stored entryforms.Stored, version *cms.Entry, key string, i int) int {
	if i < 0 {
		return -1
	}
	name := strings.TrimPrefix(key, "data.")
	if entryforms.StoredOf(m, version, nil).Series(key) == stored.Series(key) {
		rows, _ := stored.Values[key].([]any)
		return slices.IndexFunc(rows, func(row any) bool {
			object, _ := row.(map[string]any)
			return object[ui.RowKey] == strconv.Itoa(i)
		})
	}
	rows, _ := now.Data[name].([]any)
	former, _ := version.Data[name].([]any)
	digest := ui.Digest(former[i])
	return slices.IndexFunc(rows, func(row any) bool { return ui.Digest(row) == digest })
}

// Put returns rows with a former row: in the place of the row at an index, or, if that is -1, behind the last of the
// rows that was before it in its version and is there. from has the index in that version of each of rows, and was that
// of the row.
func Put(rows []any, row any, at int, from []int, was int) []any {
	former, _ := row.(map[string]any)
	object := maps.Clone(former)
	if at >= 0 {
		replaced, _ := rows[at].(map[string]any)
		object[ui.RowKey] = replaced[ui.RowKey]
		return slices.Replace(rows, at, at+1, any(object))
	}
	object[ui.RowKey] = ui.NewRowID()
	for before := was; before >= 0 && at < 0; before-- {
		at = slices.Index(from, before)
	}
	return slices.Insert(rows, at+1, any(object))
}
