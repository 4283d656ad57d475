package entrydata

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/refs"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// Names maps the id of each entry and file that some entries refer to, to its name and picture.
type Names map[string]ui.Choice

// maxNamed is how many targets of fields, and how many of links in texts, NamesIn reads to name them.
const maxNamed = 500

// NamesIn reads the names of targets of references in entries: first of those that not all entries have. Further
// targets, and those that no longer exist, keep their ids as names.
func (h EntryHandlers) NamesIn(c *frame.Call, m *site.Model, entries ...*cms.Entry) (Names, error) {
	models, holders := map[string]*site.Model{}, map[string]int{} // by id; files have no model
	var targets, linked []string
	add := func(id string, m *site.Model) {
		if holders[id]++; holders[id] == 1 {
			targets, models[id] = append(targets, id), m
		}
	}
	seen := map[string]bool{}
	for _, e := range entries {
		refs.EachText(m.Fields, e.Data, func(_, text string) {
			for _, t := range refs.TextTargets(text) {
				if t.File {
					add(t.ID, nil)
				} else if !seen[t.ID] && len(linked) < maxNamed {
					seen[t.ID], linked = true, append(linked, t.ID)
				}
			}
		})
		for _, ref := range refs.References(&m.Model, e.Data) {
			if to := c.Site.Models[ref.Model]; ref.Kind != cms.TypeRelation {
				add(ref.ID, nil)
			} else if to != nil {
				add(ref.ID, to)
			}
		}
	}
	slices.SortStableFunc(targets, func(a, b string) int { return holders[a] - holders[b] })
	known, err := h.Named(c, slice.Map(targets[:min(len(targets), maxNamed)], func(id string) *ui.Field {
		return &ui.Field{Pick: &ui.Pick{Source: "names", Ids: []string{id}, Model: models[id]}}
	}))
	if err != nil || len(linked) == 0 {
		return known, err
	}
	at, err := h.Entries.Store.Addresses(c.R.Context(), linked)
	for id, a := range at {
		if title := a.TitleIn(c.R.Context(), c.Site.ModelByID(a.ModelID)); title != "" {
			known[id] = ui.Choice{ID: id, Label: say.Data(title)}
		}
	}
	return known, err
}

// Of returns the name of the entry or file behind a destination in a text, or the destination.
func (n Names) Of(destination string) string {
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
func (n Names) choiceOf(line string) (ui.Choice, bool) {
	choice, ok := n[line[strings.LastIndexByte(line, '/')+1:]]
	return choice, ok
}

// In replaces references in Markdown, and ids at the ends of lines, with names.
func (n Names) In(text string) string {
	text = reference().ReplaceAllStringFunc(text, n.Of)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		at := strings.LastIndex(line, " ") + 1
		if choice, ok := n.choiceOf(line[at:]); ok {
			lines[i] = line[:at] + choice.Label.String()
		}
	}
	return strings.Join(lines, "\n")
}

// InParts replaces ids with names and pictures.
func (n Names) InParts(parts []ui.DiffPart) []ui.DiffPart {
	for i := range parts {
		if choice, ok := n.choiceOf(parts[i].Text); ok {
			parts[i].Text, parts[i].Words, parts[i].Image = "", choice.Label, choice.Image
		}
	}
	return parts
}
