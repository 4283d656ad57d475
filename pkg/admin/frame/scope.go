package frame

import (
	"net/http"
	"slices"

	"headless/pkg/access/tokens"
	"headless/pkg/cms"
)

// accountSegments are the first segments of the routes that only sessions and access tokens with
// the scope all may use: those of accounts, keys, webhooks and roles. A test fails if a route that
// needs a confirmation has another one.
var accountSegments = []string{"users", "invitations", "roles", "keys", "webhooks", "targets", "tokens", "sessions",
	"totp", "passkeys", "people", "device", "grants"}

// inScope refuses an access token outside its scope. No token changes the second factor of its
// user; services refuse the rest of what a token may not do to its user.
func (c *Call) inScope(route Route) error {
	if c.scope == "" {
		return nil
	}
	segment, reads := SegmentOf(route.Pattern), c.Method == http.MethodGet
	switch {
	case slices.Contains(accountSegments, segment), segment == "profile" && !reads:
		if err := c.WholeScope("accounts, keys, webhooks or roles"); err != nil {
			return err
		}
	case c.scope == tokens.ScopeRead && !reads:
		return cms.Errorf(cms.CodeForbidden, "This access token has the scope read and cannot change anything.")
	}
	own := segment == "totp" || segment == "passkeys" || c.R.PathValue("id") == c.User.ID &&
		slices.Contains([]string{"/users/{id}/totp", "/users/{id}/passkeys", "/users/{id}/passkeys/{passkey}"},
			route.Pattern)
	if own && !reads {
		return cms.Errorf(cms.CodeForbidden,
			"An access token cannot change the second factor of its user. Sign in instead.")
	}
	return nil
}
