package pickers

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/input"
	"headless/pkg/site"
)

// pickPage is the number of choices on one page of a panel.
const pickPage = 12

// offeredStatuses are the statuses of the entries that panels offer. An archived entry that was chosen before stays.
var offeredStatuses = []cms.Status{cms.StatusDraft, cms.StatusPublished}

// Library has the entries and files that fields choose from.
type Library struct {
	Entries *editing.Entries
	Files   *assets.Media
}

// Field turns the input of a field of an entry into one that chooses entries or files. Its value is
// ids, one a line. Fill completes it.
func (l Library) Field(site *site.Site, f cms.Field, field ui.Field) ui.Field {
	p := &ui.Pick{Many: f.Many, Model: site.Models[f.Model], Mimes: f.Mimes, Targets: f.Targets()}
	for _, slug := range f.Models {
		if m := site.Models[slug]; m != nil {
			p.Several, p.Model = append(p.Several, m), m
		}
	}
	for id := range strings.Lines(field.Value) {
		if id = strings.TrimSpace(id); id != "" && !slices.Contains(p.Ids, id) {
			p.Ids = append(p.Ids, id)
		}
	}
	switch {
	case f.Type == cms.TypeMedia:
		p.Open, p.Source, p.Targets = "Choose a file", ui.Base+"/media", []string{cms.AreaMedia}
		if p.Many {
			p.Open = "Choose files"
		}
		if len(f.Mimes) > 0 {
			p.Source += "?" + url.Values{"filter[mime][in]": {strings.Join(f.Mimes, ",")}}.Encode()
			field.Help = say.Sentences(field.Help, ui.MimeWords(f.Mimes))
		}
	case p.Model != nil:
		if p.Several != nil {
			p.Model = p.Several[0]
		}
		p.Open, p.Source = say.F("Choose from {1}", p.Model.Name),
			ui.Base+ui.EntriesPath(p.Model.Slug)+"?filter%5Bstatus%5D%5Bin%5D="+string(cms.StatusDraft+","+cms.StatusPublished)
		if p.Several != nil {
			p.Open = "Choose an entry"
		}
	}
	field.Kind, field.Value, field.Pick = "pick", "", p
	return field
}

// Fill reads the names of the chosen entries and files, in two round trips at most, and opens the
// panel that a step asks for. locale is that of the edited entry, "" for none.
func (l Library) Fill(c *frame.Call, fields []ui.Field, locale string) error {
	picks := PicksOf(fields, nil)
	for _, f := range picks {
		if offer(c, f); len(c.Site.Codes()) > 1 && f.Pick.Localized() != nil {
			f.Pick.Locale = locale
		}
	}
	known, err := l.Named(c, picks)
	if err != nil {
		return err
	}
	for _, f := range picks {
		for _, id := range f.Pick.Ids {
			choice, ok := known[id]
			switch {
			case !ok:
				choice = ui.Choice{ID: id, Label: say.Data(id), Note: "deleted"}
			case choice.ID == "":
				choice.ID = id
			default:
				choice.Href = f.Pick.Page(choice.ID)
			}
			f.Pick.Chosen = append(f.Pick.Chosen, f.Chosen(choice))
		}
		if c.Step.Opens(f.Name) && f.Pick.Open != "" {
			if err := l.openPanel(c, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// offer notes the items that the user may make for a field, and leaves out a library that the user may not see.
func offer(c *frame.Call, f *ui.Field) {
	p := f.Pick
	switch {
	case p.Source == "" && hides(c, p):
		f.Help = say.Sentences(f.Help, "Your role shows nothing to choose from.")
	case p.Source == "":
		f.Help = say.Sentences(f.Help,
			say.F("The model {1} is gone: there is nothing to choose from.", strings.Join(p.Targets, ", ")))
	case p.Model == nil && !c.MayUse(http.MethodGet, "/media"):
		p.Open = ""
	case p.Model == nil && c.MayUse(http.MethodPost, "/media"):
		p.Makes = []string{cms.AreaMedia}
	case p.Model != nil:
		for _, m := range append([]*site.Model{p.Model}, p.Several...) {
			if c.MayMake(m.Model) {
				p.Makes = append(p.Makes, m.Slug)
			}
		}
	}
}

// hides reports whether the role of the user may hide entries or files that a field refers to.
func hides(c *frame.Call, p *ui.Pick) bool {
	codes := c.Site.Codes()
	return slices.ContainsFunc(p.Targets, func(slug string) bool {
		return len(cms.PermissionsOf(c.R.Context()).Locales(cms.ActionRead, slug, codes)) < len(codes)
	})
}

// PicksOf adds to found the fields at any depth that pick entries or files.
func PicksOf(fields []ui.Field, found []*ui.Field) []*ui.Field {
	for i := range fields {
		if fields[i].Pick != nil {
			found = append(found, &fields[i])
		}
		found = PicksOf(fields[i].Fields, found)
	}
	return found
}

// Named reads the chosen entries and files of some fields. Its result has them by id, as the id is
// written in the field.
func (l Library) Named(c *frame.Call, picks []*ui.Field) (map[string]ui.Choice, error) {
	known := map[string]ui.Choice{}
	var files, ids []string
	var refs []content.Reference
	for _, f := range picks {
		switch {
		case f.Pick.Source == "":
		case f.Pick.Model == nil:
			files = append(files, f.Pick.Ids...)
		default:
			for _, text := range f.Pick.Ids {
				m, id := f.Pick.Of(text)
				if canonical, ok := input.CanonicalID(id); ok && m != nil {
					refs, ids = append(refs, content.Reference{Model: m, ID: canonical}), append(ids, text)
				}
			}
		}
	}
	if len(files) > 0 {
		found, err := l.Files.Inline(c.R.Context(), files)
		if err != nil {
			return nil, err
		}
		for id, v := range found {
			if m, ok := v.(*cms.MediaInline); ok {
				known[id] = fileChoice(id, m.Name, m.Mime, m.URL)
			}
		}
	}
	entries, err := l.Entries.Store.EntriesByID(c.R.Context(), refs)
	for i, e := range entries {
		if e != nil {
			choice := entryChoice(e, refs[i].Model, c.LocaleName(e.Locale))
			choice.ID = ids[i][:strings.LastIndexByte(ids[i], '/')+1] + choice.ID
			known[ids[i]] = choice
		}
	}
	for _, f := range picks {
		for _, id := range f.Pick.Ids {
			if _, ok := known[id]; !ok && hides(c, f.Pick) {
				known[id] = ui.Choice{Label: "deleted or hidden"}
			}
		}
	}
	return known, err
}

func fileChoice(id, name, mime, address string) ui.Choice {
	if strings.HasPrefix(mime, "image/") {
		return ui.Choice{ID: id, Label: say.Data(name), Image: ui.Thumbnail(address)}
	}
	return ui.Choice{ID: id, Label: say.Data(name), Note: say.Data(mime)}
}

// entryChoice returns an entry as a choice, with a note that tells entries of the same title apart: the name of its
// language, if the model is localized, and its status.
func entryChoice(e *cms.Entry, m *site.Model, language say.Text) ui.Choice {
	var notes []say.Text
	if m.Localized {
		notes = append(notes, language)
	}
	if e.Status != cms.StatusPublished {
		notes = append(notes, say.Known(string(e.Status)))
	}
	return ui.Choice{ID: e.ID, Label: say.Data(e.Title), Note: say.Join(notes, ", ")}
}
