package cms

// Field defines one key of an entry's data.
type Field struct {
	Name       string    `json:"name"`
	Label      string    `json:"label"`
	Type       FieldType `json:"type"`
	Required   bool      `json:"required"`
	Unique     bool      `json:"unique"`
	Searchable bool      `json:"searchable"`
	Min        *float64  `json:"min"`              // value of a number, characters of a text, items of a list
	Max        *float64  `json:"max"`              // as min
	Pattern    string    `json:"pattern"`          // RE2, for texts
	Options    []string  `json:"options"`          // for select and multiselect
	Model      string    `json:"model"`            // slug of the related model, for relation
	Models     []string  `json:"models,omitempty"` // in place of Model: several, which each value names
	Many       bool      `json:"many"`             // for relation and media: a list of ids
	Mimes      []string  `json:"mimes"`            // for media: allowed types, "image/*" too
	Fields     []Field   `json:"fields"`           // for group, list and blocks
	Default    any       `json:"default"`          // used on create if the key is missing
	Help       string    `json:"help"`
	// Translatable is false for a field whose value is the same in all translations of an entry
	// (extensions §3). Nil means true.
	Translatable *bool `json:"translatable,omitempty"`
	// The rest defines the layout of the form of an entry.
	Tab      string   `json:"tab,omitempty"`       // name of a tab; "": the first one
	Column   string   `json:"column,omitempty"`    // main, side, or "" "": depends on the type
	ShownIf  string   `json:"shown_if,omitempty"`  // show this field only for some values of this other field
	ShownFor []string `json:"shown_for,omitempty"` // the values of that other field; empty: any except false
}

// ModelKind reports whether a model has many entries, or one for each locale.
type ModelKind string

// The kinds of model.
const (
	KindCollection ModelKind = "collection"
	KindSingle     ModelKind = "single"
)

// DefaultMaxPerPage is the maximum of per_page for a model that sets none (decisions §3).
const DefaultMaxPerPage = 100

// Model is a content model. Its slug is its path segment in the API.
type Model struct {
	ID            string    `json:"id"`
	Slug          string    `json:"slug"`
	Name          string    `json:"name"`
	Kind          ModelKind `json:"kind"`
	Localized     bool      `json:"localized"`
	IsActive      bool      `json:"is_active"`
	Fields        []Field   `json:"fields"`
	VisibleFields []string  `json:"visible_fields"` // empty: all; limits data for keys without an admin role
	DefaultSort   string    `json:"default_sort"`   // as the sort parameter; "": -published_at,-created_at
	MaxPerPage    int       `json:"max_per_page"`
	// Composite indexes: lists of paths in data, such as ["category","author"].
	Indexes   [][]string `json:"indexes"`
	CreatedAt Time       `json:"created_at"`
	UpdatedAt Time       `json:"updated_at"`
	Version   int64      `json:"version"`
	// Template of the URLs of entries on the site, such as /{locale}/posts/{slug}; "": none
	// (extensions §8).
	URL        string    `json:"url"`
	PreviewURL string    `json:"preview_url"` // template of preview URLs; "": none (extensions §5)
	Menu       ModelMenu `json:"menu"`
	Home       string    `json:"home"`   // slug that is empty in URLs; "": none (extensions §13)
	Tree       bool      `json:"tree"`   // entries stand below one another (extensions §13)
	Review     int       `json:"review"` // approvals that a publication needs, to MaxReview (extensions §14)
	// What health expects of published entries (extensions §16): translations in these locales, and a
	// save in this many months; 0: none.
	Translate        []string `json:"translate"`
	StaleAfterMonths int      `json:"stale_after_months"`

	drafts bool // has_draft is a column; see WithDrafts
}

// ModelMenu is the position of a model in the menu of the admin area.
type ModelMenu struct {
	Group string `json:"group"` // title of a section of the menu; "": the section Content
	Order int    `json:"order"` // ascending; models with the same order are sorted by name
	Icon  string `json:"icon"`  // one of ModelIcons; "": the default icon
}

// ModelIcons are the icons that a model can have.
var ModelIcons = []string{"article", "calendar", "cart", "chat", "folder", "gear", "home", "image",
	"list", "person", "pin", "question", "star", "tag", "video"}
