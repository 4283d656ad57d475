package frame

import (
	"crypto/sha256"
	"encoding/base64"

	"headless/pkg/access/tokens"
	"headless/pkg/cms"
)

// Visitor is who sends a request, and the session or access token of the request.
type Visitor struct {
	User                 *cms.User // nil on routes without sign-in
	Role                 cms.Role  // of User
	HasTOTP, HasPasskeys bool      // of User
	RecoveryCodes        int       // that User has left
	needsFactor          bool      // of User and the session
	term                 int64     // of User

	Token     string       // of the session
	Session   string       // id of the session; "" for access tokens
	confirmed cms.Time     // until when the session is confirmed; zero for access tokens
	scope     tokens.Scope // of the access token; empty for a session
	cookie    bool         // the token came by cookie

	// AskAgain returns an error if the user was shut out, or got other rights, since the request began.
	AskAgain func() error
}

// May reports whether the user has at least the given role.
func (v *Visitor) May(role cms.UserRole) bool { return v.User != nil && atLeast(v.User.Role, role) }

// Forbidden is the refusal of an action that the role of the user does not allow.
func (v *Visitor) Forbidden() error {
	return cms.Errorf(cms.CodeForbidden, "Your role %q may not do this.", v.Role.Name)
}

// lacksFactor returns TOTP_REQUIRED if the role of the user requires a second factor that is missing.
func (v *Visitor) lacksFactor() error {
	switch {
	case !v.needsFactor:
		return nil
	case v.HasPasskeys:
		return cms.Errorf(cms.CodeTOTPRequired,
			"Your role requires a second factor: confirm with one of your passkeys at /admin/confirm.")
	}
	return cms.Errorf(cms.CodeTOTPRequired, "Your role requires a second factor: set one up at /admin/totp.")
}

// WholeScope returns FORBIDDEN if the request is made with an access token whose scope does not
// include what the argument names.
func (v *Visitor) WholeScope(what string) error {
	if v.scope == "" || v.scope == tokens.ScopeAll {
		return nil
	}
	return cms.Errorf(cms.CodeForbidden, "This access token has the scope %s, which does not include %s.",
		v.scope, what)
}

// csrf returns the CSRF token for the forms of a session. It does not reveal the session token.
func csrf(token string) string {
	sum := sha256.Sum256([]byte("csrf " + token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
