package cms

import (
	"cmp"
	"encoding/json"
	"maps"
)

// EntryPatch is the body of a create or an update. Nil and missing keys change nothing. An empty
// text, and a nil value in Data, clear the key; on create they count as missing.
type EntryPatch struct {
	Title          *string        `json:"title,omitempty"`
	Slug           *string        `json:"slug,omitempty"`
	Status         *string        `json:"status,omitempty"`
	Locale         *string        `json:"locale,omitempty"`
	SEOTitle       *string        `json:"seo_title,omitempty"`
	SEONoindex     *bool          `json:"seo_noindex,omitempty"`
	SEODescription *string        `json:"seo_description,omitempty"`
	Parent         *string        `json:"parent,omitempty"` // "" is the root
	Position       *float64       `json:"position,omitempty"`
	Data           map[string]any `json:"data,omitempty"`       // top-level keys to set; nil values clear
	ClearData      bool           `json:"clear_data,omitempty"` // data was null
	problems       Problems
}

// DecodeEntryPatch reads a decoded JSON object (numbers as json.Number). Problems returns the keys
// that are unknown or have the wrong type. Read-only keys are ignored, so that clients can send
// back what they read.
func DecodeEntryPatch(body map[string]any) EntryPatch {
	p := EntryPatch{problems: Problems{}}
	for key, v := range body {
		switch key {
		case "id", "published_at", "created_at", "updated_at", "version", "has_draft", "draft",
			"translations", "url", "translation_of", "schedule", "views": // translation_of is read separately
		case "title":
			p.Title = p.readText(key, v)
		case "slug":
			p.Slug = p.readText(key, v)
		case "status":
			p.Status = p.choice(key, v)
		case "locale":
			p.Locale = p.choice(key, v)
		case ColumnParent:
			p.Parent = p.choice(key, v)
		case ColumnPosition:
			p.Position = p.readNumber(key, v)
		case "data":
			p.data(v)
		case "seo":
			p.seo(v)
		default:
			p.unknown(key)
		}
	}
	return p
}

func (p *EntryPatch) unknown(path string) {
	if len(p.problems) < MaxProblems {
		p.problems.Add(path, "is not a known key")
	}
}

// readValue reads a value of a type or null, its zero value. It returns nil, which changes nothing, for other types.
func readValue[T string | bool](p *EntryPatch, path string, v any, kind string) *T {
	value, ok := v.(T)
	if !ok && v != nil {
		p.problems.Add(path, "must be %s", kind)
		return nil
	}
	return &value
}

func (p *EntryPatch) readText(path string, v any) *string {
	return readValue[string](p, path, v, "a string")
}

// choice reads a string or null. An empty string is a problem.
func (p *EntryPatch) choice(path string, v any) *string {
	if v == "" {
		p.problems.Add(path, "must not be empty")
		return nil
	}
	return p.readText(path, v)
}

// readNumber reads a number; null is 0.
func (p *EntryPatch) readNumber(path string, v any) *float64 {
	if v == nil {
		return new(float64)
	}
	n, ok := v.(json.Number)
	f, err := n.Float64()
	if !ok || err != nil {
		p.problems.Add(path, "must be a number")
		return nil
	}
	return &f
}

func (p *EntryPatch) flag(path string, v any) *bool {
	return readValue[bool](p, path, v, "true or false")
}

func (p *EntryPatch) data(v any) {
	switch v := v.(type) {
	case nil:
		p.ClearData = true
	case map[string]any:
		p.Data = v
	default:
		p.problems.Add("data", "must be an object")
	}
}

func (p *EntryPatch) seo(v any) {
	object, ok := v.(map[string]any)
	if v == nil {
		p.SEOTitle, p.SEODescription, p.SEONoindex = new(string), new(string), new(bool)
	} else if !ok {
		p.problems.Add("seo", "must be an object")
	}
	for key, v := range object {
		switch key {
		case "title":
			p.SEOTitle = p.readText("seo.title", v)
		case "description":
			p.SEODescription = p.readText("seo.description", v)
		case "noindex":
			p.SEONoindex = p.flag("seo.noindex", v)
		default:
			p.unknown("seo." + key)
		}
	}
}

// Apply changes e. Data becomes a new map, so the map that e had before is not changed. A cleared
// slug is left empty and later made from the title. Validation reports a cleared title, status or
// locale.
func (p EntryPatch) Apply(e *Entry) {
	setText(&e.Title, p.Title)
	setText(&e.Slug, p.Slug)
	setText((*string)(&e.Status), p.Status)
	setText(&e.Locale, p.Locale)
	setText(&e.SEO.Title, p.SEOTitle)
	setText(&e.SEO.Description, p.SEODescription)
	if p.SEONoindex != nil {
		e.SEO.Noindex = *p.SEONoindex
	}
	if p.Parent != nil || p.Position != nil {
		parent, position := e.ParentID(), e.TreePosition()
		setText(&parent, p.Parent)
		if p.Position != nil {
			position = *p.Position
		}
		e.Stand(parent, position)
	}
	data := make(map[string]any, len(e.Data)+len(p.Data))
	if !p.ClearData {
		maps.Copy(data, e.Data)
	}
	for key, v := range p.Data {
		if v == nil {
			delete(data, key)
		} else {
			data[key] = v
		}
	}
	e.Data = data
}

func setText(target, value *string) {
	if value != nil {
		*target = *value
	}
}

// NewEntry returns the entry of a create: with the model's defaults, status draft and the default
// locale for missing keys.
func (p EntryPatch) NewEntry(m *Model, defaultLocale string) *Entry {
	e := &Entry{}
	p.Apply(e)
	e.Status = cmp.Or(e.Status, StatusDraft)
	if e.Locale == "" {
		e.Locale = defaultLocale
	}
	e.Data = m.WithDefaults(e.Data)
	if m.Tree && e.Spot == nil {
		e.Stand("", 0)
	}
	return e
}

// ForTree returns the problems of keys that only entries of a model with a tree have.
func (p EntryPatch) ForTree(m *Model) Problems {
	problems := Problems{}
	if p.Parent != nil && !m.Tree {
		problems.Add(ColumnParent, "is not a known key")
	}
	if p.Position != nil && !m.Tree {
		problems.Add(ColumnPosition, "is not a known key")
	}
	return problems
}

// Problems returns the problems found while the body was decoded.
func (p EntryPatch) Problems() Problems { return p.problems }
