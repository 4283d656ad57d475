package grants

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/rights"
)

// The lifetimes of codes and tokens (extensions §17).
const (
	codeTime    = time.Minute
	accessTime  = time.Hour
	refreshTime = 30 * 24 * time.Hour
	// lostTime is how long a refresh token may come again because its answer was lost.
	lostTime = 30 * time.Second
	// maxLive bounds the valid tokens of each kind in a grant. The oldest ends.
	maxLive = 10
)

// Refusal is an error that a program understands (RFC 6749 §5.2).
type Refusal struct{ Code, Text string }

func (e *Refusal) Error() string { return e.Text }

func refuseAs(code, text string) error { return &Refusal{code, text} }

var (
	errNoProgram = refuseAs("invalid_client", "There is no program with this client id. Register it again.")
	errToken     = refuseAs("invalid_grant", "The code or token is wrong, expired, ended or used already.")
	errTooMany   = cms.Errorf(cms.CodeConflict, "You have allowed too many programs. End some in your profile first.")
)

// Grants keeps the grants of users.
type Grants struct {
	DB *db.DB
	// Fetch reads a document from a public address.
	Fetch func(ctx context.Context, address string, limit int64) ([]byte, error)
}

// Consent is what a user allows a program.
type Consent struct {
	Program   Program
	Level     Level
	Redirect  string // where the program waits for the code
	Named     bool   // the program named Redirect: it did not leave out its only address
	Challenge string // S256 (RFC 7636)
	// The user, with the state of the account and of the session.
	UserID string
	Resets int64
	Strong bool
	// Also adds to the transaction.
	Also func(*db.Tx)
}

// Approve stores a consent and returns the code for its program. CONFLICT for a user with too many
// grants.
func (s *Grants) Approve(ctx context.Context, actor cms.Actor, c Consent) (code string, err error) {
	held, err := s.ofUser(ctx, c.UserID, c.Resets)
	if err == nil && len(held) >= maxGrants {
		err = errTooMany
	}
	if err != nil {
		return "", err
	}
	tx := s.DB.Begin()
	end := cms.At(tx.At().Add(codeTime))
	g := &grant{Grant: Grant{ID: uuid.Must(uuid.NewV7()).String(), Name: c.Program.Name, ClientID: c.Program.ID,
		Scope: c.Level, CreatedAt: tx.At(), ExpiresAt: end}, UserID: c.UserID, Resets: c.Resets, Strong: c.Strong,
		Challenge: c.Challenge, Redirect: c.Redirect, Named: c.Named}
	code = g.newToken(codePrefix, db.RandomToken())
	g.Code = token{db.TokenHash(code), end}
	g.putIn(tx)
	c.Program.keepFromNowOn(tx)
	c.Also(tx)
	tx.Audit(actor, "grant.created", "program "+g.Name, g.ID, nil, map[string]any{"scope": g.Scope})
	return code, s.DB.Commit(ctx, tx)
}

// Tokens are the tokens of a program. They are shown once and stored only as hashes.
type Tokens struct {
	Access    string `json:"access_token"`
	Type      string `json:"token_type"`
	ExpiresIn int    `json:"expires_in"` // seconds
	Refresh   string `json:"refresh_token"`
	Scope     Level  `json:"scope"`
}

var verifier = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9._~-]{43,128}$`)
})

// Redeem gives a program tokens for its code. A code that was redeemed already ends its grant. redirect
// may be "" if the request for the code named none (RFC 6749 §4.1.3). Errors: *Refusal.
func (s *Grants) Redeem(ctx context.Context, from cms.Actor, clientID, code, redirect, proof string) (Tokens, error) {
	return s.issue(ctx, codePrefix, code, func(g *grant, _ string) error {
		sum := sha256.Sum256([]byte(proof))
		switch {
		case g.Code.Hash != db.TokenHash(code):
			return errToken
		case g.Redeemed:
			return s.endReplayed(ctx, from, g)
		case redirect == "" && g.Named:
			return refuseAs("invalid_request", "The parameter redirect_uri is required.")
		case !s.DB.Now().Before(g.Code.At.Time), g.ClientID != clientID, redirect != "" && redirect != g.Redirect,
			!verifier().MatchString(proof), base64.RawURLEncoding.EncodeToString(sum[:]) != g.Challenge:
			return errToken
		}
		g.Redeemed = true
		return nil
	})
}

// Renew gives a program new tokens for its refresh token, which ends with that. One that comes again
// ends its grant, unless its answer seems lost: that was less than 30 seconds ago, and the tokens in
// the answer were not used to renew. Errors: *Refusal.
func (s *Grants) Renew(ctx context.Context, from cms.Actor, clientID, refresh string) (Tokens, error) {
	return s.issue(ctx, refreshPrefix, refresh, func(g *grant, secret string) error {
		hash, now := db.TokenHash(refresh), s.DB.Now()
		switch {
		case !g.isFamily(secret) || g.ClientID != clientID:
			return errToken
		case slices.Contains(g.Live, hash):
			g.Former, g.Live = token{hash, now}, nil
		case g.Former.Hash != hash || now.Sub(g.Former.At.Time) >= lostTime:
			return s.endReplayed(ctx, from, g)
		}
		return nil
	})
}

// familyLength is the length of the part that all refresh tokens of a grant share.
const familyLength = 22

func (g *grant) isFamily(secret string) bool {
	return len(secret) > familyLength && g.Family == db.TokenHash(secret[:familyLength])
}

// issue reads the grant of a code or refresh token, lets use check and mark it, and stores new tokens.
func (s *Grants) issue(ctx context.Context, prefix, text string, use func(*grant, string) error) (made Tokens,
	err error) {
	err = s.DB.Retry(ctx, func() error {
		g, secret, err := s.byToken(ctx, prefix, text)
		if err == nil {
			err = use(g, secret)
		}
		if err == nil {
			_, err = s.account(ctx, g)
		}
		if err != nil {
			return db.Missing(err, errToken)
		}
		tx := s.DB.Begin()
		made = g.renew(tx.At(), secret)
		g.putIn(tx)
		return s.DB.Commit(ctx, tx)
	})
	return made, err
}

// renew adds new tokens to the grant. secret is that of a refresh token, whose family goes on, or of
// a code.
func (g *grant) renew(now cms.Time, secret string) Tokens {
	family := db.RandomToken()[:familyLength]
	if g.isFamily(secret) {
		family = secret[:familyLength]
	}
	made := Tokens{Type: "Bearer", ExpiresIn: int(accessTime.Seconds()), Scope: g.Scope,
		Access:  g.newToken(accessPrefix, db.RandomToken()),
		Refresh: g.newToken(refreshPrefix, family+db.RandomToken())}
	g.Family = db.TokenHash(family)
	g.Live = keepLatest(append(g.Live, db.TokenHash(made.Refresh)))
	g.Access = slices.DeleteFunc(g.Access, func(t token) bool { return !now.Before(t.At.Time) })
	g.Access = keepLatest(append(g.Access, token{db.TokenHash(made.Access), cms.At(now.Add(accessTime))}))
	g.LastUsedAt, g.ExpiresAt = now, cms.At(now.Add(refreshTime))
	return made
}

func keepLatest[T any](list []T) []T { return list[max(0, len(list)-maxLive):] }

// endReplayed ends the grant of a code or refresh token that was used twice: somebody else has it.
func (s *Grants) endReplayed(ctx context.Context, from cms.Actor, g *grant) error {
	from.Program = g.Name
	if err := s.endGrant(ctx, from, g, "grant.replayed"); err != nil {
		return err
	}
	return errToken
}

func (s *Grants) endGrant(ctx context.Context, actor cms.Actor, g *grant, event string) error {
	tx := s.DB.Begin()
	tx.Remove(grantKey(g.UserID, g.ID), g.version)
	tx.Audit(actor, event, "program "+g.Name, g.ID, nil, nil)
	return s.DB.Commit(ctx, tx)
}

// Revoke ends the grant of an access or refresh token (RFC 7009). Unknown tokens are no error.
func (s *Grants) Revoke(ctx context.Context, from cms.Actor, clientID, text string) error {
	return s.DB.Retry(ctx, func() error {
		g, secret, err := s.byToken(ctx, refreshPrefix, text)
		ours := err == nil && g.isFamily(secret)
		if errors.Is(err, db.ErrNotFound) {
			g, _, err = s.byToken(ctx, accessPrefix, text)
			ours = err == nil && g.hasAccess(db.TokenHash(text), s.DB.Now())
		}
		if errors.Is(err, db.ErrNotFound) || err == nil && (!ours || clientID != "" && clientID != g.ClientID) {
			return nil
		}
		if err != nil {
			return err
		}
		from.Program = g.Name
		return s.endGrant(ctx, from, g, "grant.ended")
	})
}

func (g *grant) hasAccess(hash string, now cms.Time) bool {
	return slices.ContainsFunc(g.Access, func(t token) bool { return t.Hash == hash && now.Before(t.At.Time) })
}

// List lists the grants of a user whose programs have tokens, the newest first.
func (s *Grants) List(ctx context.Context, userID string) ([]Grant, error) {
	list := []Grant{}
	account, err := rights.AccountOf(ctx, s.DB, userID)
	if err != nil {
		return list, err
	}
	held, err := s.ofUser(ctx, userID, account.Resets)
	for _, g := range held {
		if g.Redeemed {
			list = append(list, g.Grant)
		}
	}
	return list, err
}

// Delete ends a grant of a user; NOT_FOUND if there is none.
func (s *Grants) Delete(ctx context.Context, actor cms.Actor, userID, id string) error {
	return s.DB.Retry(ctx, func() error {
		g, err := s.readGrant(ctx, userID, id)
		if err != nil {
			return input.NotFound(err, "grant")
		}
		return s.endGrant(ctx, actor, g, "grant.ended")
	})
}

// Owner is the user in whose name a program sends a request.
type Owner struct {
	Grant       Grant
	Actor       cms.Actor        // without the request
	Permissions *cms.Permissions // of the user, up to the level of the grant
	// NeedsFactor is set if the role requires a second factor that the user does not have.
	NeedsFactor bool
}

// account reads the account of a grant's user; ErrNotFound if the grant has ended with it.
func (s *Grants) account(ctx context.Context, g *grant) (rights.Account, error) {
	account, err := rights.AccountOf(ctx, s.DB, g.UserID)
	if err == nil && (!account.IsActive || account.Resets != g.Resets) {
		err = db.ErrNotFound
	}
	return account, err
}

// Owner returns the user of an access token; db.ErrNotFound if it is not valid.
func (s *Grants) Owner(ctx context.Context, access string) (Owner, error) {
	g, _, err := s.byToken(ctx, accessPrefix, access)
	if err == nil && !g.hasAccess(db.TokenHash(access), s.DB.Now()) {
		err = db.ErrNotFound
	}
	if err != nil {
		return Owner{}, err
	}
	account, err := s.account(ctx, g)
	if err != nil {
		return Owner{}, err
	}
	o := Owner{Grant: g.Grant, Actor: cms.Actor{Name: account.Email, UserID: g.UserID, Term: account.Term,
		Source: cms.SourceMCP, Program: g.Name, Reviewed: true}}
	if o.Permissions, err = rights.Of(ctx, s.DB, o.Actor); err != nil {
		return Owner{}, err
	}
	o.Permissions = o.Permissions.And(g.Scope.Permissions())
	required, err := rights.RequiresFactor(ctx, s.DB, account.Role)
	o.NeedsFactor = required && !g.Strong && !account.HasFactor
	return o, err
}
