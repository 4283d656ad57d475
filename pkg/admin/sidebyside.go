package admin

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/input"
	"headless/pkg/site"
)

// stepFill puts the text of the entry that is shown beside a form into a field of the form, or,
// where it names no field, into every text that is empty.
const stepFill = "fill"

// besideView is an entry of the same model that is shown beside a form, field by field, while its
// translation is written. A nil one shows nothing.
type besideView struct {
	Title, Name, Lang, Dir string
	Close                  string
	FillEmpty              *buttonView
	entry                  *cms.Entry
	since                  *cms.Entry // as it was when the translation was saved last; nil where that is the same
}

// original is what the other entry holds in one field. Changed says that Parts compare it with what
// it was when the translation was saved last.
type original struct {
	Label, Lang, Dir string
	Parts            []diffPart
	Cells            []Cell
	Changed          bool
	Use              *buttonView
}

// beside reads the entry that the address names, to be shown beside the form of e.
func (h entryHandlers) beside(c *Call, site *site.Site, m *site.Model, e *cms.Entry) (*besideView, error) {
	asked := c.R.URL.Query().Get("beside")
	if asked == "" {
		return nil, nil
	}
	id, ok := input.CanonicalID(asked)
	if !ok {
		return nil, nothingHere()
	}
	d, err := h.entries.DraftOrLive(c.R.Context(), m.Slug, id)
	if err != nil {
		return nil, err
	}
	v := &besideView{Title: d.Entry.Title, Name: d.Entry.Locale, Lang: d.Entry.Locale, Dir: "auto",
		Close: Base + c.entryPath(), entry: d.Entry}
	if l := site.Locale(d.Entry.Locale); l != nil {
		v.Name = l.Name
		if l.Direction != "" {
			v.Dir = l.Direction
		}
	}
	if e.UpdatedAt.Before(d.Live.UpdatedAt.Time) {
		v.since, err = h.asOf(c, m, d, e.UpdatedAt)
	}
	return v, err
}

// asOf is an entry as it was at a time; nil where that revision is not kept.
func (h entryHandlers) asOf(c *Call, m *site.Model, d *editing.Drafted, at cms.Time) (*cms.Entry, error) {
	page, err := h.entries.Revisions(c.R.Context(), m.Slug, d.Live.ID, db.Paging{Page: 1, PerPage: 100})
	if err != nil {
		return nil, err
	}
	for _, r := range page.Items {
		if r.Draft == 0 && !r.Time.After(at.Time) {
			e, err := h.entries.Store.Revision(c.R.Context(), m, d.Live.ID, r.Version)
			return e, missingRevision(err, nil)
		}
	}
	return nil, nil
}

// query keeps the entry beside the form in the addresses that the form is sent to.
func (v *besideView) query() string {
	if v == nil {
		return ""
	}
	return "?beside=" + url.QueryEscape(v.entry.ID)
}

// fill does the step stepFill: it changes what the form sent.
func (v *besideView) fill(c *Call, m *site.Model) error {
	if v == nil || c.step == nil || c.step.verb != stepFill {
		return nil
	}
	for _, key := range v.keys(m) {
		if key != c.step.name && (c.step.name != "" || filled(c.form, key)) {
			continue
		}
		forget(c.form, key)
		name := strings.TrimPrefix(key, "data.")
		if f := m.Field(name); f == nil || name == key {
			c.form.Set(key, wholeText(m, v.entry, key))
		} else if err := post(c.form, key, *f, v.entry.Data[name]); err != nil {
			return err
		}
	}
	return nil
}

// keys are the fields whose text can be taken over.
func (v *besideView) keys(m *site.Model) []string {
	keys := []string{"title"}
	for i := range m.Fields {
		if f := &m.Fields[i]; holdsText(f) && !f.Unique {
			keys = append(keys, "data."+f.Name)
		}
	}
	return append(keys, "seo.title", "seo.description")
}

// filled reports whether a form sent anything for a field.
func filled(form url.Values, key string) bool {
	for name, values := range form {
		if (name == key || within(name, key)) &&
			slices.ContainsFunc(values, func(v string) bool { return v != "" && v != "false" }) {
			return true
		}
	}
	return false
}

// post writes a value into a form, as the inputs of its field would send it.
func post(form url.Values, name string, f cms.Field, v any) error {
	if v == nil {
		return nil
	}
	if object, ok := v.(map[string]any); ok && f.HasFields() {
		return postGroup(form, name, f.Fields, object)
	}
	items, isList := v.([]any)
	for i, item := range items {
		if !f.HasFields() {
			form.Add(name, fmt.Sprint(item))
			continue
		}
		object, _ := item.(map[string]any)
		at, fields := name+"."+strconv.Itoa(i), f.Fields
		if f.Type == cms.TypeBlocks {
			kind := fmt.Sprint(object["type"])
			form.Set(at+".type", kind)
			fields = blockOf(f, kind).Fields
		}
		if err := postGroup(form, at, fields, object); err != nil {
			return err
		}
	}
	if isList && f.Type != cms.TypeJSON {
		return nil
	}
	text, err := fieldText(f, v)
	form.Set(name, text)
	return err
}

func postGroup(form url.Values, name string, fields []cms.Field, object map[string]any) error {
	for _, f := range fields {
		if err := post(form, name+"."+f.Name, f, object[f.Name]); err != nil {
			return err
		}
	}
	return nil
}

// show puts what the entry holds beside the fields of a form; action is where steps are sent.
func (v *besideView) show(c *Call, h entryHandlers, m *site.Model, fields []Field, action string) error {
	if v == nil {
		return nil
	}
	site, _, err := h.model(c)
	if err != nil {
		return err
	}
	facts, err := h.facts(c, site, m, v.entry)
	if err != nil {
		return err
	}
	was := map[string]any{}
	if v.since != nil {
		was = entryValues(m, v.since)
	}
	now, texts := entryValues(m, v.entry), v.keys(m)
	for i := range fields {
		f := &fields[i]
		o := &original{Label: f.Label, Lang: v.Lang, Dir: v.Dir}
		for at, field := range m.Fields {
			if f.Name == "data."+field.Name && field.IsReference() {
				o.Cells = facts[at].Cells
			}
		}
		text := wholeText(m, v.entry, f.Name)
		if o.Cells == nil && text != "" {
			o.Parts = []diffPart{{Kind: "same", Text: text}}
		}
		if v.since != nil && digestOf(was[f.Name]) != digestOf(now[f.Name]) {
			if o.Changed = true; o.Cells == nil {
				o.Parts = textDiff(wholeText(m, v.since, f.Name), text)
			}
		}
		if slices.Contains(texts, f.Name) && now[f.Name] != nil && text != "" {
			o.Use = &buttonView{Button{Text: "Use this text", Label: "Use this text: " + f.Label,
				Do: stepFill + " " + f.Name, To: f.Name}, action}
		}
		if f.Kind != "hidden" {
			f.Original = o
		}
	}
	v.FillEmpty = &buttonView{Button{Text: "Fill empty fields", Do: stepFill, To: "title"}, action}
	return nil
}
