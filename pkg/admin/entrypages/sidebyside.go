package entrypages

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/input"
	"headless/pkg/site"
	"headless/pkg/web"
)

// stepFill copies texts of the entry beside the form into the form: into the named field, or into
// all empty text fields if none is named.
const stepFill = "fill"

// besideView is an entry of the same model that is shown beside the form, field by field, while its
// translation is written. A nil besideView shows nothing.
type besideView struct {
	Title, Name, Lang, Dir string
	Close                  string
	FillEmpty              *ui.ButtonView
	entry                  *cms.Entry
	long                   []string // keys of fields of which a part is shown
	// since is the entry as it was when the translation was last saved; nil if it has not changed
	// since then, or if that revision is not kept.
	since *cms.Entry
}

// readBeside reads the entry that the query parameter beside names, to be shown beside the form of e.
func (h Pages) readBeside(c *frame.Call, m *site.Model, e *cms.Entry) (*besideView, error) {
	asked := c.R.URL.Query().Get("beside")
	if asked == "" {
		return nil, nil
	}
	id, ok := input.CanonicalID(asked)
	if !ok {
		return nil, web.ErrNothing
	}
	d, err := h.Entries.DraftOrLive(c.R.Context(), m.Slug, id)
	if err != nil {
		return nil, err
	}
	v := &besideView{Title: d.Entry.Title, Name: d.Entry.Locale, Lang: d.Entry.Locale, Dir: "auto",
		Close: ui.Base + entrydata.EntryAt(c)}
	v.entry, v.long = entryforms.Part(m, d.Entry, c.R.URL.Query())
	if l := c.Site.Locale(d.Entry.Locale); l != nil {
		v.Name = l.Name
		if l.Direction != "" {
			v.Dir = l.Direction
		}
	}
	if e.UpdatedAt.Before(d.Live.UpdatedAt.Time) {
		if v.since, err = h.asOf(c, m, d, e.UpdatedAt); v.since != nil {
			v.since, _ = entryforms.Part(m, v.since, c.R.URL.Query())
		}
	}
	return v, err
}

// asOf returns an entry as of a time, nil if that revision is not kept.
func (h Pages) asOf(c *frame.Call, m *site.Model, d *editing.Drafted, at cms.Time) (*cms.Entry, error) {
	_, each, err := h.Entries.Revisions(c.R.Context(), m.Slug, d.Live.ID)
	if err != nil {
		return nil, err
	}
	for r, err := range each {
		if err != nil {
			return nil, err
		}
		if r.Draft == 0 && !r.Time.After(at.Time) {
			e, err := h.Entries.Store.Revision(c.R.Context(), m, d.Live.ID, r.Version)
			return e, db.Missing(err, nil)
		}
	}
	return nil, nil
}

// query returns the query string that keeps the entry beside the form when the form is sent.
func (v *besideView) query() string {
	if v == nil {
		return ""
	}
	return "?beside=" + url.QueryEscape(v.entry.ID)
}

// runStep executes stepFill on the posted form.
func (v *besideView) runStep(c *frame.Call, m *site.Model) error {
	if v == nil || c.Step == nil || c.Step.Verb != stepFill {
		return nil
	}
	for _, key := range v.keys(m) {
		if key != c.Step.Name && (c.Step.Name != "" || wasSent(c.Form, key)) || entryforms.HasWindow(c.Form, key) {
			continue
		}
		entryforms.Forget(c.Form, key)
		name := strings.TrimPrefix(key, "data.")
		if f := m.Field(name); f == nil || name == key {
			c.Form.Set(key, entryforms.Whole(m, v.entry, key))
		} else if err := entryforms.Post(c.Form, key, *f, v.entry.Data[name]); err != nil {
			return err
		}
	}
	return nil
}

// keys returns the fields whose text can be copied.
func (v *besideView) keys(m *site.Model) []string {
	keys := []string{"title"}
	for i := range m.Fields {
		if f := &m.Fields[i]; editing.HoldsText(f) && !f.Unique && !slices.Contains(v.long, "data."+f.Name) {
			keys = append(keys, "data."+f.Name)
		}
	}
	return append(keys, "seo.title", "seo.description")
}

// wasSent reports whether a form sent anything for a field.
func wasSent(form url.Values, key string) bool {
	for name, values := range form {
		if (name == key || ui.Within(name, key)) &&
			slices.ContainsFunc(values, func(v string) bool { return v != "" && v != "false" }) {
			return true
		}
	}
	return false
}

// show adds the values of the entry to the fields of the form. action is the URL that receives the
// steps.
func (v *besideView) show(c *frame.Call, h Pages, m *site.Model, fields []ui.Field, action string) error {
	if v == nil {
		return nil
	}
	facts, err := h.facts(c, m, v.entry)
	if err != nil {
		return err
	}
	since := cmp.Or(v.since, v.entry)
	names, err := h.NamesIn(c, m, v.entry, since)
	if err != nil {
		return err
	}
	before, shown := entryforms.Prose(m, since, names.Of), entryforms.Prose(m, v.entry, names.Of)
	was := entryforms.Digests(m, since)
	now, texts := entryforms.Digests(m, v.entry), v.keys(m)
	for i := range fields {
		f := &fields[i]
		o := &ui.Original{Label: f.Label, Lang: v.Lang, Dir: v.Dir}
		for at, field := range m.Fields {
			if f.Name == "data."+field.Name && field.IsReference() {
				o.Cells = facts[at].Cells
			}
		}
		text := names.In(entryforms.Whole(m, shown, f.Name))
		if o.Cells == nil && text != "" {
			o.Parts = []ui.DiffPart{{Kind: "same", Text: text}}
		}
		if was[f.Name] != now[f.Name] {
			if o.Changed = true; o.Cells == nil {
				if o.Parts = ui.TextDiff(names.In(entryforms.Whole(m, before, f.Name)), text); len(o.Parts) == 1 {
					o.Parts = ui.TextDiff(names.In(entryforms.Whole(m, since, f.Name)), // only signs of Markdown differ
						names.In(entryforms.Whole(m, v.entry, f.Name)))
				}
			}
		}
		if slices.Contains(texts, f.Name) && now[f.Name] != ui.Digest(nil) && text != "" && !ui.HasPages(fields[i:i+1]) {
			o.Use = &ui.ButtonView{Button: ui.Button{Text: "Use this text",
				Label: say.F("Use this text: {1}", f.Label),
				Do:    stepFill + " " + f.Name, To: f.Name}, Action: action}
		}
		if f.Kind != "hidden" {
			f.Original = o
		}
	}
	v.FillEmpty = &ui.ButtonView{Button: ui.Button{Text: "Fill empty fields", Do: stepFill,
		To: "title"}, Action: action}
	return nil
}
