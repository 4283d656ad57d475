package entrypages

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/refs"
	"headless/pkg/site"
)

// fieldChange is the difference of one field between two versions of an entry.
type fieldChange struct {
	Key       string
	Label     say.Text
	Lang, Dir string
	Parts     []ui.DiffPart
	Refused   say.Text // why it cannot be published
	Choice    string   // preselected choice in an outdated draft: "draft" or "live"; "" for none
	Undo      bool     // the older value of this field can be restored
	Later     bool     // the field was changed again after this change
	Rows      *ui.List // links to the other rows of a long list, nil for none
}

// fieldChanges compares two versions of an entry field by field.
func (h entryPages) fieldChanges(c *frame.Call, site *site.Site, m *site.Model,
	before, after *cms.Entry) ([]fieldChange, error) {
	names, err := h.names(c, site, m, before, after)
	if err != nil {
		return nil, err
	}
	was, is := entryforms.Prose(m, before, names.nameOf), entryforms.Prose(m, after, names.nameOf)
	var changes []fieldChange
	for _, key := range entryforms.ChangedKeys(m, before, after) {
		change := fieldChange{Key: key, Label: entrydata.PathLabel(m, key), Lang: after.Locale, Dir: "auto"}
		if l := site.Locale(after.Locale); l != nil && l.Direction != "" {
			change.Dir = l.Direction
		}
		old, new := was, is
		if entryforms.Whole(m, was, key) == entryforms.Whole(m, is, key) { // only signs of Markdown differ
			old, new = before, after
		}
		change.Parts, change.Rows = names.diffParts(c.R.URL.Query(), m, old, new, key)
		changes = append(changes, change)
	}
	return changes, nil
}

// diffParts returns the difference of one field. Texts are compared word by word and rows one by one.
// Other values are shown as a whole, in readable form. The query chooses the rows of long lists.
func (n references) diffParts(q url.Values, m *site.Model, old, new *cms.Entry, key string) ([]ui.DiffPart, *ui.List) {
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
		return n.withNames(ui.LineDiff(was, is)), nil
	case cms.TypeNumber, cms.TypeBoolean, cms.TypeDate, cms.TypeDateTime, cms.TypeSelect, cms.TypeEmail,
		cms.TypeURL:
		return ui.WholeDiff(f.Type, was, is), nil
	case cms.TypeList, cms.TypeBlocks:
		return ui.RowDiff(n.rowTexts(*f, old.Data[name]), n.rowTexts(*f, new.Data[name]), q, "rows."+key)
	}
	return ui.TextDiff(n.in(was), n.in(is)), nil
}

// rowTexts returns the rows of a list or of blocks as texts.
func (n references) rowTexts(f cms.Field, v any) (rows []ui.RowText) {
	items, _ := v.([]any) // nil has no rows
	for _, item := range items {
		text, err := entryforms.Readable(f, []any{item})
		if err != nil {
			text = "1."
		}
		head, lines, _ := strings.Cut(text, "\n")
		rows = append(rows, ui.RowText{Title: strings.TrimSpace(strings.TrimPrefix(head, "1.")),
			Text: n.in(lines)})
	}
	return rows
}

// references maps the id of each entry and file that some entries refer to, to its name and
// picture.
type references map[string]ui.Choice

// maxNamed is how many targets of references a comparison reads to name them.
const maxNamed = 500

// names reads the names of at most maxNamed targets of references in the entries: first of those that not all
// entries have. Targets that no longer exist keep their ids as names.
func (h entryPages) names(c *frame.Call, site *site.Site, m *site.Model,
	entries ...*cms.Entry) (references, error) {
	var picks []*ui.Field
	var linked []string
	holders := map[string]int{} // how often they refer to an id
	for _, e := range entries {
		refs.EachText(m.Fields, e.Data, func(_, text string) {
			for _, t := range refs.TextTargets(text) {
				if t.File {
					picks = append(picks, &ui.Field{Pick: &ui.Pick{Source: "names", Ids: []string{t.ID}}})
				} else {
					linked = append(linked, t.ID)
				}
			}
		})
		for _, ref := range refs.References(&m.Model, e.Data) {
			pick := &ui.Pick{Source: "names", Ids: []string{ref.ID}}
			if ref.Kind == cms.TypeRelation {
				if pick.Model = site.Models[ref.Model]; pick.Model == nil {
					continue
				}
			}
			if holders[ref.ID]++; holders[ref.ID] == 1 {
				picks = append(picks, &ui.Field{Pick: pick})
			}
		}
	}
	slices.SortStableFunc(picks, func(a, b *ui.Field) int { return holders[a.Pick.Ids[0]] - holders[b.Pick.Ids[0]] })
	picks = picks[:min(len(picks), maxNamed)]
	known, err := h.Named(c, picks)
	if err != nil || len(linked) == 0 {
		return known, err
	}
	slices.Sort(linked)
	at, err := h.Entries.Store.Addresses(c.R.Context(), slices.Compact(linked))
	for id, a := range at {
		if title := a.TitleIn(c.R.Context(), site.ModelByID(a.ModelID)); title != "" {
			known[id] = ui.Choice{ID: id, Label: say.Data(title)}
		}
	}
	return known, err
}

// nameOf returns the name of the entry or file behind a destination in a text, or the destination.
func (n references) nameOf(destination string) string {
	if t, rest, ok := refs.Parse(destination); ok && n[t.ID].Label != "" {
		return n[t.ID].Label.String() + rest
	}
	return destination
}

// reference is a destination of this service in a text.
var reference = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`cms://(?:entry|media)/[0-9A-Fa-f-]{36}`)
})

// choiceOf returns what a line of a field refers to; of a relation to several models it has a slug before the id.
func (n references) choiceOf(line string) (ui.Choice, bool) {
	choice, ok := n[line[strings.LastIndexByte(line, '/')+1:]]
	return choice, ok
}

// in replaces references in Markdown, and ids at the ends of lines, with names.
func (n references) in(text string) string {
	text = reference().ReplaceAllStringFunc(text, n.nameOf)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		at := strings.LastIndex(line, " ") + 1
		if choice, ok := n.choiceOf(line[at:]); ok {
			lines[i] = line[:at] + choice.Label.String()
		}
	}
	return strings.Join(lines, "\n")
}

// withNames replaces ids with names and pictures.
func (n references) withNames(parts []ui.DiffPart) []ui.DiffPart {
	for i := range parts {
		if choice, ok := n.choiceOf(parts[i].Text); ok {
			parts[i].Text, parts[i].Words, parts[i].Image = "", choice.Label, choice.Image
		}
	}
	return parts
}
