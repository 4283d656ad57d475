package cms

// Field defines one key of an entry's data.
type Field struct {
	Name       string    `json:"name"`
	Label      string    `json:"label"`
	Type       FieldType `json:"type"`
	Required   bool      `json:"required"`
	Unique     bool      `json:"unique"`
	Searchable bool      `json:"searchable"`
	Min        *float64  `json:"min"`     // value of a number, characters of a text, items of a list
	Max        *float64  `json:"max"`     // likewise
	Pattern    string    `json:"pattern"` // RE2, for texts
	Options    []string  `json:"options"` // for select and multiselect
	Model      string    `json:"model"`   // slug of the related model, for relation
	Many       bool      `json:"many"`    // for relation and media: a list of ids
	Mimes      []string  `json:"mimes"`   // for media: allowed types, "image/*" too
	Fields     []Field   `json:"fields"`  // for group, list and blocks
	Default    any       `json:"default"` // used on create when the key is left out
	Help       string    `json:"help"`
	// Translatable is false for a field whose value all translations of an entry share (extensions
	// §3). It is nil where it is true.
	Translatable *bool `json:"translatable,omitempty"`
	// The rest arranges the form of an entry.
	Tab      string   `json:"tab,omitempty"`       // name of a tab; "": the first one
	Column   string   `json:"column,omitempty"`    // main, side, or "" by the type
	ShownIf  string   `json:"shown_if,omitempty"`  // another field, on whose value it depends whether this one is shown
	ShownFor []string `json:"shown_for,omitempty"` // values of that field; empty: any but false
}

// ModelKind reports whether a model holds many entries or one a locale.
type ModelKind string

// The kinds of model.
const (
	KindCollection ModelKind = "collection"
	KindSingle     ModelKind = "single"
)

// DefaultMaxPerPage caps per_page where a model does not say (decisions §3).
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
	// Composite indexes: lists of data field paths, such as ["category","author"].
	Indexes   [][]string `json:"indexes"`
	CreatedAt Time       `json:"created_at"`
	UpdatedAt Time       `json:"updated_at"`
	Version   int64      `json:"version"`
	// Template of the addresses of entries on the site, such as /{locale}/posts/{slug}; "": none
	// (extensions §8).
	URL        string    `json:"url"`
	PreviewURL string    `json:"preview_url"` // template of preview addresses; "" for none (extensions §5)
	Menu       ModelMenu `json:"menu"`

	drafts bool // has_draft is a column; see WithDrafts
}

// ModelMenu is where a model stands in the menu of the admin area.
type ModelMenu struct {
	Group string `json:"group"` // title of the part of the menu; "" for Content itself
	Order int    `json:"order"` // lower first, models of one order by name
	Icon  string `json:"icon"`  // one of ModelIcons; "" for the usual one
}

// ModelIcons are the icons that a model can have.
var ModelIcons = []string{"article", "calendar", "cart", "chat", "folder", "gear", "home", "image",
	"list", "person", "pin", "question", "star", "tag", "video"}
