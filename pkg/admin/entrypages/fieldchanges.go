package entrypages

import (
	"net/url"
	"strconv"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/site"
)

// FieldChange is the difference of one field between two versions of an entry.
type FieldChange struct {
	Key       string
	Label     say.Text
	Lang, Dir string
	Parts     []ui.DiffPart
	Refused   []say.Text // why it cannot be published
	Choice    string     // preselected choice in an outdated draft: "draft" or "live"; "" for none
	Undo      bool       // the older value of this field can be restored
	Later     bool       // the field was changed again after this change
	Rows      *ui.List   // links to the other rows of a long list, nil for none
}

// fieldChanges compares two versions of an entry field by field. mayRestore reports whether a row of a field may be put
// back; nil is for none.
func (h Pages) fieldChanges(c *frame.Call, m *site.Model, before, after *cms.Entry,
	mayRestore func(key string, row any) bool) ([]FieldChange, error) {
	names, err := h.NamesIn(c, m, before, after)
	if err != nil {
		return nil, err
	}
	was, is := entryforms.Prose(m, before, names.Of), entryforms.Prose(m, after, names.Of)
	var changes []FieldChange
	for _, key := range entryforms.ChangedKeys(m, entryforms.Digests(m, before), entryforms.Digests(m, after)) {
		change := FieldChange{Key: key, Label: entrydata.PathLabel(m, key), Lang: after.Locale, Dir: "auto"}
		if l := c.Site.Locale(after.Locale); l != nil && l.Direction != "" {
			change.Dir = l.Direction
		}
		old, new := was, is
		if entryforms.Whole(m, was, key) == entryforms.Whole(m, is, key) { // only signs of Markdown differ
			old, new = before, after
		}
		restore := func(was int) string {
			rows, _ := before.Data[strings.TrimPrefix(key, "data.")].([]any)
			if mayRestore == nil || !mayRestore(key, rows[was]) {
				return ""
			}
			return key + " " + strconv.Itoa(was)
		}
		change.Parts, change.Rows = diffParts(names, c.R.URL.Query(), m, old, new, key, restore)
		changes = append(changes, change)
	}
	return changes, nil
}

// diffParts returns the difference of one field. Texts are compared word by word and rows one by one.
// Other values are shown as a whole, in readable form. The query chooses the rows of long lists. restore is as in
// ui.RowDiff.
func diffParts(n entrydata.Names, q url.Values, m *site.Model, old, new *cms.Entry, key string,
	restore func(was int) string) ([]ui.DiffPart, *ui.List) {
	was, is := entryforms.Whole(m, old, key), entryforms.Whole(m, new, key)
	name := strings.TrimPrefix(key, "data.")
	f := m.Field(name)
	if f == nil {
		if key == "seo.noindex" {
			return ui.WholeDiff(cms.TypeBoolean, was, is), nil
		}
		return ui.TextDiff(was, is), nil
	}
	switch f.Type {
	case cms.TypeRelation, cms.TypeMedia, cms.TypeMultiSelect:
		return n.InParts(ui.LineDiff(was, is)), nil
	case cms.TypeNumber, cms.TypeBoolean, cms.TypeDate, cms.TypeDateTime, cms.TypeSelect, cms.TypeEmail,
		cms.TypeURL:
		return ui.WholeDiff(f.Type, was, is), nil
	case cms.TypeList, cms.TypeBlocks:
		return ui.RowDiff(rowTexts(n, *f, old.Data[name]), rowTexts(n, *f, new.Data[name]), q, "rows."+key,
			restore)
	}
	return ui.TextDiff(n.In(was), n.In(is)), nil
}

// rowTexts returns the rows of a list or of blocks as texts.
func rowTexts(n entrydata.Names, f cms.Field, v any) (rows []ui.RowText) {
	items, _ := v.([]any) // nil has no rows
	for _, item := range items {
		text, err := entryforms.Readable(f, []any{item})
		if err != nil {
			text = "1."
		}
		head, lines, _ := strings.Cut(text, "\n")
		rows = append(rows, ui.RowText{Title: strings.TrimSpace(strings.TrimPrefix(head, "1.")), Text: n.In(lines)})
	}
	return rows
}
