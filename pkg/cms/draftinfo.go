package cms

import "encoding/json"

// DraftInfo says where a draft stands (extensions §2).
type DraftInfo struct {
	BaseVersion int64   `json:"base_version"` // version of the entry that the changes were looked at against
	Version     int64   `json:"version"`      // 1 for the first save of this draft, +1 a save
	UpdatedAt   Time    `json:"updated_at"`
	Actor       *string `json:"actor"` // who saved it last; nil is anonymous
}

// contentOf is what a draft is laid over: what reports whether an entry changed since.
type contentOf struct {
	Title string         `json:"t"`
	Slug  string         `json:"s"`
	Data  map[string]any `json:"d"`
	SEO   SEO            `json:"e"`
}

// Content encodes title, slug, data and seo: equal for two versions of an entry that differ in
// nothing else.
func (e *Entry) Content() ([]byte, error) {
	return json.Marshal(contentOf{e.Title, e.Slug, e.Data, e.SEO})
}

// Stored is the entry without what reads show beside it.
func (e *Entry) Stored() *Entry {
	s := *e
	s.HasDraft, s.Draft, s.Translations, s.Schedule = nil, nil, nil, nil
	return &s
}
