package entryforms

import (
	"cmp"
	"strconv"
	"strings"

	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/slice"
)

// kindKey is the key of the type of a block in a tree.
const kindKey = "_kind"

// RowID returns the id of the row at index i. A stored row has none and gets its index.
func RowID(row map[string]any, i int) string {
	if id, ok := row[ui.RowKey].(string); ok && id != "" {
		return id
	}
	return strconv.Itoa(i)
}

// idAt returns the id of a row of a list.
func idAt(rows []any, i int) string {
	row, _ := rows[i].(map[string]any)
	return RowID(row, i)
}

// treeOf describes a value for a Base.
func treeOf(f *cms.Field, v any) any {
	if w, ok := v.(Window); ok {
		return treeOfWindow(f, w)
	}
	switch {
	case f.HasFields() && f.Type == cms.TypeGroup:
		if object, ok := v.(map[string]any); ok || v == nil {
			return treeOfFields(f.Fields, object)
		}
	case f.HasFields():
		if rows, ok := v.([]any); ok || v == nil {
			list := make([]any, len(rows))
			for i, item := range rows {
				row, _ := item.(map[string]any)
				list[i] = treeOfRow(f, row, RowID(row, i))
			}
			return list
		}
	case isLongText(f):
		if text, ok := textOf(v); ok {
			return strings.Join(digestsOf(linesOf(text)), " ")
		}
	}
	return digestOf(f, v)
}

func treeOfFields(fields []cms.Field, object map[string]any) map[string]any {
	tree := map[string]any{}
	for i := range fields {
		tree[fields[i].Name] = treeOf(&fields[i], object[fields[i].Name])
	}
	return tree
}

func treeOfRow(f *cms.Field, row map[string]any, id string) map[string]any {
	tree := treeOfFields(fieldsOfRow(f, row), row)
	tree[ui.RowKey] = id
	if f.Type == cms.TypeBlocks {
		tree[kindKey] = kindOf(row)
	}
	return tree
}

// fieldsOfRow returns the fields of a row of a list, or of a block by its type.
func fieldsOfRow(f *cms.Field, row map[string]any) []cms.Field {
	if f.Type == cms.TypeBlocks {
		return BlockOf(*f, kindOf(row)).Fields
	}
	return f.Fields
}

func kindOf(row map[string]any) string {
	kind, _ := row["type"].(string)
	return kind
}

// treesByID returns the trees of the rows of a list, or of a window of one, by their ids.
func treesByID(tree any) map[string]any {
	if window, ok := tree.(map[string]any); ok {
		tree = window[windowRows]
	}
	rows, _ := tree.([]any)
	byID := map[string]any{}
	for i := range rows {
		byID[idAt(rows, i)] = rows[i]
	}
	return byID
}

// equalTrees compares two trees without the ids of their rows.
func equalTrees(a, b any) bool { return treeText(a) == treeText(b) }

// treeText returns a tree without the ids of its rows as JSON.
func treeText(tree any) string { return jsonOf(treeWithoutIDs(tree)) }

func treeWithoutIDs(tree any) any {
	switch tree := tree.(type) {
	case map[string]any:
		clean := map[string]any{}
		for key, inner := range tree {
			if key != ui.RowKey {
				clean[key] = treeWithoutIDs(inner)
			}
		}
		return clean
	case []any:
		return slice.Map(tree, treeWithoutIDs)
	}
	return tree
}

// digestOf returns the digest of a value of a field.
func digestOf(f *cms.Field, v any) string { return ui.Digest(canonical(f, v)) }

// Digest returns a digest of a value of a field. Values that a form shows alike have the same one, and empty ones that
// of nil. It looks at one row of a list after another, as digestOfRows does.
func Digest(f *cms.Field, v any) string { return cmp.Or(digestOfFilled(f, v), ui.Digest(nil)) }

// digestOfFilled is Digest for a value that is not empty, and "" for others.
func digestOfFilled(f *cms.Field, v any) string {
	object, isObject := v.(map[string]any)
	rows, isList := v.([]any)
	switch {
	case isObject && f.HasFields():
		return digestOfObject(f.Fields, object, map[string]string{})
	case !isList || !f.HasFields():
		if v = canonical(f, v); v == nil {
			return ""
		}
		return ui.Digest(v)
	}
	var digests []string
	for _, item := range rows {
		row, _ := item.(map[string]any)
		kind := map[string]string{}
		if f.Type == cms.TypeBlocks {
			kind[kindKey] = kindOf(row)
		}
		if digest := digestOfObject(fieldsOfRow(f, row), row, kind); digest != "" {
			digests = append(digests, digest)
		}
	}
	if digests == nil {
		return ""
	}
	return ui.Digest(digests)
}

// digestOfObject adds the digests of the filled fields of a group or a row to others, and returns that of all; "" for
// none.
func digestOfObject(fields []cms.Field, object map[string]any, digests map[string]string) string {
	for i := range fields {
		if digest := digestOfFilled(&fields[i], object[fields[i].Name]); digest != "" {
			digests[fields[i].Name] = digest
		}
	}
	if len(digests) == 0 {
		return ""
	}
	return ui.Digest(digests)
}

// digestOfRows returns a digest of a value that has rows, also empty ones. It looks at one row of a list after another,
// since a long list takes much memory as a tree.
func digestOfRows(f *cms.Field, v any) string {
	rows, isList := v.([]any)
	if !isList || f.Type == cms.TypeGroup {
		return ui.Digest(treeText(treeOf(f, v)))
	}
	return ui.Digest(slice.Map(rows, func(item any) string {
		row, _ := item.(map[string]any)
		return ui.Digest(treeText(treeOfRow(f, row, "")))
	}))
}

// isLongText reports whether the values of a field are texts with lines.
func isLongText(f *cms.Field) bool { return f.Type == cms.TypeRichText || f.Type == cms.TypeTextarea }

// textOf returns a text with the line ends of browsers. ok is false for other values.
func textOf(v any) (text string, ok bool) {
	if v == nil {
		return "", true
	}
	if text, ok = v.(string); ok {
		text, _ = plainText(text).(string)
	}
	return text, ok
}

// linesOf returns the lines of a text, none of an empty one.
func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func digestsOf(lines []string) []string {
	return slice.Map(lines, func(line string) string { return ui.Digest(line) })
}
