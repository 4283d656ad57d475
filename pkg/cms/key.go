package cms

import "slices"

// Scopes of an API key (specification §5).
const (
	ScopeRead   = "read"
	ScopeWrite  = "write"
	ScopeDelete = "delete"
	// ScopePublish lets agents publish over the Model Context Protocol. No route of the API
	// requires it (extensions §10).
	ScopePublish = "publish"
)

// The limits, in requests a minute, of a key that sets none: of a secret key (decisions §7), and of a
// publishable key, which all visitors of a site share (extensions §8).
const (
	DefaultRateLimit        = 1000
	DefaultPublishableLimit = 60_000
)

// RoleAdmin is the only role that a key may have. It lets the key read drafts and hidden fields.
const RoleAdmin = "admin"

// Kinds of an API key (extensions §8).
const (
	KeySecret = "secret" // gives access to the API with its secret
	// Used in URLs of the delivery API. It has no secret and reads published content only.
	KeyPublishable = "publishable"
)

// Key is an API key without its secret (specification §2.8, decisions §7).
type Key struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	PublicKey string   `json:"public_key"`
	Scopes    []string `json:"scopes"`
	Origins   []string `json:"origins"`    // empty: every origin; "https://*.example.com" matches one label or more
	RateLimit int64    `json:"rate_limit"` // requests a minute
	Role      *string  `json:"role"`       // nil or RoleAdmin
	ExpiresAt Time     `json:"expires_at"` // zero: never
	Models    []string `json:"models"`     // slugs, or areas such as AreaMedia; empty: all (extensions §11)
	Locales   []string `json:"locales"`    // empty: all
	CreatedAt Time     `json:"created_at"`
	UpdatedAt Time     `json:"updated_at"`
	Kind      string   `json:"kind"` // KeySecret or KeyPublishable; it never changes

	// PreviousExpiresAt is until when the secret before the rotation stays valid; zero: it is not
	// valid.
	PreviousExpiresAt Time `json:"previous_expires_at"`

	Review bool `json:"review"` // what it publishes needs approvals as for users (extensions §14)
}

// IsPublishable reports whether the key reads the delivery API and nothing else.
func (k *Key) IsPublishable() bool { return k.Kind == KeyPublishable }

// NewKey has the defaults of a new key (decisions §7).
func NewKey() Key {
	return Key{Kind: KeySecret, Scopes: []string{}, Origins: []string{},
		RateLimit: DefaultRateLimit, Models: []string{}, Locales: []string{}}
}

// IsAdmin reports whether the key may read entries of any status and hidden fields.
func (k *Key) IsAdmin() bool { return k.Role != nil && *k.Role == RoleAdmin }

// SameRights reports whether two versions of a key may do the same.
func (k *Key) SameRights(other Key) bool {
	return k.IsAdmin() == other.IsAdmin() && k.Review == other.Review && slices.Equal(k.Scopes, other.Scopes) &&
		slices.Equal(k.Models, other.Models) && slices.Equal(k.Locales, other.Locales)
}

// HasScope reports whether the key has the scope.
func (k *Key) HasScope(scope string) bool {
	return slices.Contains(k.Scopes, scope)
}
