package grants

import (
	"context"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// Level is the upper bound of what a program may do. Each level includes the ones before it.
type Level string

// The levels of grants.
const (
	LevelRead    Level = "read"
	LevelDraft   Level = "draft"
	LevelPublish Level = "publish"
)

// Levels lists the levels from the lowest on.
var Levels = []Level{LevelRead, LevelDraft, LevelPublish}

// Scopes returns the scopes of an API key that may do the same.
func (l Level) Scopes() []string {
	scopes := []string{cms.ScopeRead, cms.ScopeWrite, cms.ScopePublish}
	return scopes[:slices.Index(Levels, l)+1]
}

// Permissions returns the bound of what a program may do, whatever its user may; nil bounds nothing. With LevelDraft
// nothing becomes public but files.
func (l Level) Permissions() *cms.Permissions {
	switch l {
	case LevelPublish:
		return nil
	case LevelDraft:
		return cms.NewPermissions([]cms.Rule{{Actions: []cms.Action{cms.ActionRead, cms.ActionWrite}},
			{Models: []string{cms.AreaMedia}, Actions: []cms.Action{cms.ActionPublish}}})
	}
	return cms.NewPermissions([]cms.Rule{{Actions: []cms.Action{cms.ActionRead}}})
}

// Grant is what a user has allowed a program.
type Grant struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"` // of the program
	ClientID   string   `json:"client_id"`
	Scope      Level    `json:"scope"`
	CreatedAt  cms.Time `json:"created_at"`
	LastUsedAt cms.Time `json:"last_used_at"` // when the program last got tokens
	ExpiresAt  cms.Time `json:"expires_at"`
}

// token is a code or a token as stored.
type token struct {
	Hash string   `json:"hash"`
	At   cms.Time `json:"at"` // when it ends; of former refresh tokens: when it was used
}

// grant is a stored grant.
type grant struct {
	Grant
	UserID string `json:"user_id"`
	Resets int64  `json:"resets"` // of the account at the consent
	Strong bool   `json:"strong"` // the OpenID Connect provider is responsible for a second factor

	Code      token  `json:"code"`
	Redeemed  bool   `json:"redeemed"`
	Challenge string `json:"challenge"` // of the code (RFC 7636)
	Redirect  string `json:"redirect"`  // of the code
	Named     bool   `json:"named"`     // the request for the code named Redirect

	Family string   `json:"family"` // hash of the part that all refresh tokens of the grant share
	Live   []string `json:"live"`   // hashes of valid refresh tokens: several after lost answers
	Former token    `json:"former"` // refresh token that was used for the live ones
	Access []token  `json:"access"` // valid access tokens

	version int64
}

// putIn stores a grant, new or read before. The commit fails with ErrOvertaken if it has changed.
func (g *grant) putIn(tx *db.Tx) {
	item := table.Item{Key: grantKey(g.UserID, g.ID), Body: db.Pack(g), Expires: g.ExpiresAt.Unix()}
	tx.Save(item, g.version)
}

func decodeGrant(item *table.Item) (*grant, error) {
	g := &grant{version: item.Version}
	return g, db.Unpack(item.Body, g)
}

// readGrant reads a grant; ErrNotFound if there is none or it has expired.
func (s *Grants) readGrant(ctx context.Context, userID, id string) (*grant, error) {
	item, err := s.DB.Get(ctx, grantKey(userID, id))
	if err != nil {
		return nil, err
	}
	g, err := decodeGrant(item)
	if err == nil && !s.DB.Now().Before(g.ExpiresAt.Time) {
		err = db.ErrNotFound
	}
	return g, err
}

// The texts before the secrets of codes and tokens.
const (
	codePrefix    = "oac_"
	accessPrefix  = "oat_"
	refreshPrefix = "ort_"
)

// newToken returns a code or token of the grant. It names the row of the grant.
func (g *grant) newToken(prefix, secret string) string {
	return prefix + g.UserID + "." + g.ID + "." + secret
}

// byToken reads the grant that a code or token names, and returns the secret in it. ErrNotFound if
// there is none. The caller must compare the hash.
func (s *Grants) byToken(ctx context.Context, prefix, text string) (*grant, string, error) {
	rest, ok := strings.CutPrefix(text, prefix)
	parts := strings.SplitN(rest, ".", 3)
	if !ok || len(parts) != 3 || len(text) > 300 || parts[0] == "" || parts[1] == "" {
		return nil, "", db.ErrNotFound
	}
	g, err := s.readGrant(ctx, parts[0], parts[1])
	return g, parts[2], err
}

// maxGrants is how many grants a user may have.
const maxGrants = 100

// ofUser reads the grants of a user that have not expired and that no change of the account has ended,
// those without a redeemed code too.
func (s *Grants) ofUser(ctx context.Context, userID string, resets int64) (list []*grant, err error) {
	rows, err := s.DB.Table.Query(ctx, table.Range{Partition: grantKey(userID, "").Partition, Reverse: true,
		Limit: 2 * maxGrants})
	for i := range rows {
		g, err := decodeGrant(&rows[i])
		if err != nil {
			return nil, err
		}
		if g.Resets == resets && s.DB.Now().Before(g.ExpiresAt.Time) {
			list = append(list, g)
		}
	}
	return list, err
}
