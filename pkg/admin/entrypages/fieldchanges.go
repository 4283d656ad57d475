package entrypages

import (
	"strings"

	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/cms/mentions"
	"headless/pkg/site"
)

// fieldChange is what became of one field between two versions.
type fieldChange struct {
	Key, Label string
	Lang, Dir  string
	Parts      []ui.DiffPart
	Refused    string // why it cannot be published
	Choice     string // what an outdated draft asks: "" nothing, "draft" or "live" is proposed
}

// fieldChanges compares two versions of an entry field by field.
func (h entryPages) fieldChanges(c *frame.Call, site *site.Site, m *site.Model,
	before, after *cms.Entry) ([]fieldChange, error) {
	names, err := h.names(c, site, m, before, after)
	if err != nil {
		return nil, err
	}
	old, now := entryforms.EntryValues(m, before), entryforms.EntryValues(m, after)
	keys := []string{"title", "slug"}
	for i := range m.Fields {
		keys = append(keys, "data."+m.Fields[i].Name)
	}
	var changes []fieldChange
	for _, key := range append(keys, "seo.title", "seo.description", "seo.noindex") {
		if entryforms.DigestOf(old[key]) == entryforms.DigestOf(now[key]) {
			continue
		}
		change := fieldChange{Key: key, Label: fieldLabel(m, key), Lang: after.Locale, Dir: "auto"}
		if l := site.Locale(after.Locale); l != nil && l.Direction != "" {
			change.Dir = l.Direction
		}
		was, is := names.in(wholeText(m, before, key)), names.in(wholeText(m, after, key))
		if f := m.Field(strings.TrimPrefix(key, "data.")); f != nil && f.IsReference() {
			change.Parts = ui.LineDiff(was, is)
		} else {
			change.Parts = ui.TextDiff(was, is)
		}
		changes = append(changes, change)
	}
	return changes, nil
}

// referenceNames are what people call what some entries refer to, by its id.
type referenceNames map[string]string

// names reads them. Nothing is called by its id but what is gone.
func (h entryPages) names(c *frame.Call, site *site.Site, m *site.Model,
	entries ...*cms.Entry) (referenceNames, error) {
	var picks []*ui.Field
	for _, e := range entries {
		for _, ref := range mentions.References(&m.Model, e.Data) {
			pick := &ui.Pick{Source: "names", Ids: []string{ref.ID}}
			if ref.Kind == cms.TypeRelation {
				if pick.Model = site.Models[ref.Model]; pick.Model == nil {
					continue
				}
			}
			picks = append(picks, &ui.Field{Pick: pick})
		}
	}
	known, err := h.Named(c, picks)
	names := referenceNames{}
	for id, choice := range known {
		names[id] = choice.Label
	}
	return names, err
}

// in puts names in the place of the ids that end the lines of a text, as references do.
func (n referenceNames) in(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		at := strings.LastIndex(line, " ") + 1
		if name, ok := n[line[at:]]; ok {
			lines[i] = line[:at] + name
		}
	}
	return strings.Join(lines, "\n")
}
