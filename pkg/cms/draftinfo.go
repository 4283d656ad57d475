package cms

import "encoding/json"

// DraftInfo describes a draft (extensions §2).
type DraftInfo struct {
	BaseVersion int64   `json:"base_version"` // version of the entry that the changes were made for
	Version     int64   `json:"version"`      // 1 for the first save of this draft, +1 for each save
	UpdatedAt   Time    `json:"updated_at"`
	Actor       *string `json:"actor,omitempty"` // who saved it last; nil: anonymous, or not shown
}

// For returns what a reader sees: users are named to readers with the role admin only.
func (d *DraftInfo) For(admin bool) *DraftInfo {
	if d == nil || admin {
		return d
	}
	hidden := *d
	hidden.Actor = nil
	return &hidden
}

// contentOf has the parts of an entry that a draft can change. A difference in them means that the
// entry changed since the draft was made.
type contentOf struct {
	Title string         `json:"t"`
	Slug  string         `json:"s"`
	Data  map[string]any `json:"d"`
	SEO   SEO            `json:"e"`
}

// Content encodes title, slug, data and seo. Two versions of an entry have equal encodings if these
// four are equal.
func (e *Entry) Content() ([]byte, error) {
	return json.Marshal(contentOf{e.Title, e.Slug, e.Data, e.SEO})
}

// Stored returns the entry without the keys that are added when it is read.
func (e *Entry) Stored() *Entry {
	s := *e
	s.HasDraft, s.Draft, s.Translations, s.URL, s.Schedule, s.Views = nil, nil, nil, nil, nil, nil
	return &s
}
