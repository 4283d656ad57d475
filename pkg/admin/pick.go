package admin

import (
	"net/url"
	"slices"
	"strings"

	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/input"
	"headless/pkg/site"
)

// pickPage is how many things a panel shows at a time.
const pickPage = 12

// Pick is what a field of the kind pick chooses: files, or entries of a model. What is chosen are
// inputs of its name, so that a form keeps it.
type Pick struct {
	Many   bool
	Open   string // text of the button that opens the panel; "" where there is nothing to choose from
	Source string // address of the same choices as JSON
	Add    *Link  // where to make another one
	Chosen []Choice
	Panel  *Panel // nil while it is closed

	ids   []string
	model *site.Model // nil for files
	mimes []string
}

// Choice is a file or an entry that is chosen or can be.
type Choice struct {
	ID, Label, Note string
	Image           string // address of a picture, "" for none
	Href            string // address of its page, "" where it has none
	Name            string // of the field
	Many, Checked   bool
	Buttons         []Button
}

// Panel is a page of choices.
type Panel struct {
	Query   string
	Choices []Choice
	Range   string
	Prev    *Button
	Next    *Button
	Problem string
}

// Localized reports whether the choices are entries in several locales.
func (p *Pick) Localized() bool { return p.model != nil && p.model.Localized }

// page is the address of the page of a choice.
func (p *Pick) page(id string) string {
	if p.model == nil {
		return Base + "/media/" + url.PathEscape(id)
	}
	return Base + "/models/" + url.PathEscape(p.model.Slug) + "/entries/" + url.PathEscape(id)
}

// Blank is a choice for scripts to fill in.
func (f Field) Blank() Choice { return f.chosen(Choice{}) }

// chosen makes a choice one of the chosen.
func (f Field) chosen(v Choice) Choice {
	v.Name, v.Many, v.Checked = f.Name, f.Pick.Many, true
	if v.Many {
		v.Buttons = []Button{
			{Text: "↑", Label: "Move up: " + v.Label, Do: "up " + f.Name + " " + v.ID, To: f.Name},
			{Text: "↓", Label: "Move down: " + v.Label, Do: "down " + f.Name + " " + v.ID, To: f.Name},
		}
	}
	return v
}

// library is what the fields of entries choose from.
type library struct {
	entries *editing.Entries
	files   *assets.Media
}

// field makes a field of an entry one that chooses; its value is ids, one a line. fill completes
// it.
func (l library) field(site *site.Site, f cms.Field, field Field) Field {
	p := &Pick{Many: f.Many, model: site.Models[f.Model], mimes: f.Mimes}
	for id := range strings.Lines(field.Value) {
		if id = strings.TrimSpace(id); id != "" && !slices.Contains(p.ids, id) {
			p.ids = append(p.ids, id)
		}
	}
	switch {
	case f.Type == cms.TypeMedia:
		p.Open, p.Source, p.Add = "Choose a file", Base+"/media",
			&Link{"Upload a file", Base + "/media/create"}
		if p.Many {
			p.Open = "Choose files"
		}
		if len(f.Mimes) > 0 {
			p.Source += "?" + url.Values{"filter[mime][in]": {strings.Join(f.Mimes, ",")}}.Encode()
			field.Help = strings.TrimSpace(field.Help + " Of type " + strings.Join(f.Mimes, ", ") + ".")
		}
	case p.model != nil:
		at := Base + "/models/" + url.PathEscape(f.Model) + "/entries"
		p.Open, p.Source, p.Add = "Choose from "+p.model.Name, at, &Link{"New entry", at + "/create"}
	default:
		field.Help = strings.TrimSpace(field.Help + " The model " + f.Model +
			" is gone: there is nothing to choose from.")
	}
	field.Kind, field.Value, field.Pick = "pick", "", p
	return field
}

// fill names what is chosen, in two round trips at most, and opens the panel that a step asks for.
func (l library) fill(c *Call, site *site.Site, fields []Field) error {
	picks := picksOf(fields, nil)
	known, err := l.named(c, picks)
	if err != nil {
		return err
	}
	for _, f := range picks {
		for _, id := range f.Pick.ids {
			choice, ok := known[id]
			if !ok {
				choice = Choice{ID: id, Label: id, Note: "deleted"}
			}
			if ok {
				choice.Href = f.Pick.page(choice.ID)
			}
			f.Pick.Chosen = append(f.Pick.Chosen, f.chosen(choice))
		}
		if c.step.opens(f.Name) && f.Pick.Open != "" {
			if err := l.open(c, site, f); err != nil {
				return err
			}
		}
	}
	return nil
}

func picksOf(fields []Field, found []*Field) []*Field {
	for i := range fields {
		if fields[i].Pick != nil {
			found = append(found, &fields[i])
		}
		found = picksOf(fields[i].Fields, found)
	}
	return found
}

// named reads everything that is chosen in some fields, by its id as it is written there.
func (l library) named(c *Call, picks []*Field) (map[string]Choice, error) {
	known := map[string]Choice{}
	var files, ids []string
	var refs []content.Reference
	for _, f := range picks {
		switch m := f.Pick.model; {
		case f.Pick.Source == "":
		case m == nil:
			files = append(files, f.Pick.ids...)
		default:
			for _, id := range f.Pick.ids {
				if canonical, ok := input.CanonicalID(id); ok {
					refs, ids = append(refs, content.Reference{Model: m, ID: canonical}), append(ids, id)
				}
			}
		}
	}
	if len(files) > 0 {
		found, err := l.files.Inline(c.R.Context(), files)
		if err != nil {
			return nil, err
		}
		for id, v := range found {
			if m, ok := v.(cms.MediaInline); ok {
				known[id] = fileChoice(id, m.Name, m.Mime, m.URL)
			}
		}
	}
	entries, err := l.entries.Store.EntriesByID(c.R.Context(), refs)
	for i, e := range entries {
		if e != nil {
			known[ids[i]] = entryChoice(e, refs[i].Model)
		}
	}
	return known, err
}

func fileChoice(id, name, mime, address string) Choice {
	if strings.HasPrefix(mime, "image/") {
		return Choice{ID: id, Label: name, Image: thumbnail(address)}
	}
	return Choice{ID: id, Label: name, Note: mime}
}

// entryChoice notes what tells entries of one title apart.
func entryChoice(e *cms.Entry, m *site.Model) Choice {
	var notes []string
	if m.Localized {
		notes = append(notes, e.Locale)
	}
	if e.Status != cms.StatusPublished {
		notes = append(notes, string(e.Status))
	}
	return Choice{ID: e.ID, Label: e.Title, Note: strings.Join(notes, ", ")}
}
