package cms

// Scopes of an API key (specification §5).
const (
	ScopeRead   = "read"
	ScopeWrite  = "write"
	ScopeDelete = "delete"
)

// DefaultRateLimit is the requests a minute of a key that does not say (decisions §7).
const DefaultRateLimit = 1000

// RoleAdmin is the one role a key may carry; it lets the key read drafts and hidden fields.
const RoleAdmin = "admin"

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
	CreatedAt Time     `json:"created_at"`
	UpdatedAt Time     `json:"updated_at"`
}

// NewKey has the defaults of a new key (decisions §7).
func NewKey() Key { return Key{Scopes: []string{}, Origins: []string{}, RateLimit: DefaultRateLimit} }

// IsAdmin tells whether the key may read entries of any status and hidden fields.
func (k *Key) IsAdmin() bool { return k.Role != nil && *k.Role == RoleAdmin }

// HasScope tells whether the key has the scope.
func (k *Key) HasScope(scope string) bool {
	for _, s := range k.Scopes {
		if s == scope {
			return true
		}
	}
	return false
}
