package cms

// Status of an entry (decisions §2).
type Status string

// The statuses of an entry.
const (
	StatusDraft     Status = "draft"
	StatusPublished Status = "published"
	StatusArchived  Status = "archived"
)

// Statuses lists every status of an entry.
var Statuses = []Status{StatusDraft, StatusPublished, StatusArchived}

// SEO is the search-engine part of an entry.
type SEO struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	Noindex     bool   `json:"noindex,omitempty"` // left out of sitemaps (extensions §8)
}

// Entry is one piece of content (specification §2.1, decisions §2); the order of its JSON keys is
// part of the API. Data holds decoded JSON: string, bool, json.Number, nil, []any and
// map[string]any.
type Entry struct {
	ID          string         `json:"id"`
	Slug        string         `json:"slug"`
	Title       string         `json:"title"`
	Status      Status         `json:"status"`
	Locale      string         `json:"locale"`
	Data        map[string]any `json:"data"`
	SEO         SEO            `json:"seo"`
	PublishedAt Time           `json:"published_at"`
	CreatedAt   Time           `json:"created_at"`
	UpdatedAt   Time           `json:"updated_at"`
	Version     int64          `json:"version"`

	// Added when an entry is read, and never stored; see Stored.
	HasDraft     *bool          `json:"has_draft,omitempty"` // set in the admin area
	Draft        *DraftInfo     `json:"draft,omitempty"`     // the draft applied to this entry, in lists and includes
	Translations *[]Translation `json:"translations,omitempty"`
	URL          *EntryURL      `json:"url,omitempty"`
	Schedule     *Schedule      `json:"schedule,omitempty"` // set in the admin area
	Views        *Views         `json:"views,omitempty"`    // set in the admin area

	*Spot // stored; nil in models without a tree
}

// SortViews is the sort parameter of editors' lists for the order by views.
const SortViews = "views"

// Views is how often an entry was seen on the site (extensions §16).
type Views struct {
	D30 int `json:"d30"` // in the last 30 days of UTC, today included
}

// EntryURL is the URL of an entry on the site; "" is null in JSON.
type EntryURL string

// MarshalJSON implements json.Marshaler.
func (u EntryURL) MarshalJSON() ([]byte, error) {
	if u == "" {
		return []byte("null"), nil
	}
	return Marshal(string(u))
}

// Translation names a member of an entry's group (extensions §3).
type Translation struct {
	Locale string `json:"locale"`
	ID     string `json:"id"`
	Slug   string `json:"slug"`
	Title  string `json:"title"`
	Status Status `json:"status"`

	URL   *EntryURL `json:"url,omitempty"`
	Place Place     `json:"-"`
}

// Locale is a language of the site (specification §2.3).
type Locale struct {
	Code       string  `json:"code"`
	Name       string  `json:"name"`
	NativeName string  `json:"native_name"`
	Direction  string  `json:"direction"` // ltr or rtl
	IsDefault  bool    `json:"is_default"`
	SortOrder  int     `json:"sort_order"`
	IsActive   bool    `json:"is_active"`
	Fallback   *string `json:"fallback"` // code of the locale whose entries replace missing ones; nil: none
	Version    int64   `json:"-"`
}
