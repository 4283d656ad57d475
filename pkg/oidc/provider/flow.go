package provider

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"headless/pkg/cms"
)

// FlowTime is how long a browser may take to sign in at the provider.
const FlowTime = 10 * time.Minute

// clockSkew is how much the clock of the provider may be behind.
const clockSkew = time.Minute

// Flow is a sign-in in progress. URL is the page of the provider to which the browser goes, and
// Cookie is what the browser keeps until it returns.
type Flow struct{ URL, Cookie string }

// Identity is a user as the provider describes them.
type Identity struct {
	Issuer, Subject string
	Email           string
	Verified        bool // the provider has verified the address
	Name            string
	Role            string // "" if no group of the user has one
	// SignedIn is when the user last entered a password at the provider; zero if it does not say.
	SignedIn time.Time
}

var (
	errFlow = cms.Errorf(cms.CodeBadRequest,
		"This sign-in was started in another browser or too long ago. Start again.")
	errNotAgain = cms.Errorf(cms.CodeUnauthorized,
		"The sign-in service of your organization did not ask for your password again.")
	errDenied = cms.Errorf(cms.CodeUnauthorized, "The sign-in service of your organization refused the sign-in.")
)

// Start starts a flow. next is the page after the sign-in. With reauthenticate, the provider asks
// for the password even if the user is signed in there, and Finish checks that it did. SERVICE_UNAVAILABLE if the
// provider does not respond.
func (p *Provider) Start(ctx context.Context, next string, reauthenticate bool) (Flow, error) {
	d, err := p.discover(ctx)
	if err != nil {
		return Flow{}, err
	}
	state, nonce, verifier := rand.Text(), rand.Text(), oauth2.GenerateVerifier()
	options := []oauth2.AuthCodeOption{oidc.Nonce(nonce), oauth2.S256ChallengeOption(verifier)}
	after := "0" // the earliest time at which the user may have entered the password
	if reauthenticate {
		options = append(options, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
		after = strconv.FormatInt(time.Now().Add(-clockSkew).Unix(), 10)
	}
	to := p.oauth(d).AuthCodeURL(state, options...)
	return Flow{URL: to,
		Cookie: strings.Join([]string{state, nonce, verifier, after, url.QueryEscape(next)}, ".")}, nil
}

// Finish ends a flow, given the browser's cookie and the query with which it returned. Errors:
// BAD_REQUEST if the two do not match, UNAUTHORIZED if the provider refused or its response is not
// valid, SERVICE_UNAVAILABLE if it does not respond.
func (p *Provider) Finish(ctx context.Context, cookie string, query url.Values) (who Identity,
	next string, err error) {
	kept := strings.SplitN(cookie, ".", 5)
	if len(kept) != 5 || kept[0] == "" || subtle.ConstantTimeCompare([]byte(kept[0]),
		[]byte(query.Get("state"))) != 1 {
		return who, "", errFlow
	}
	if next, err = url.QueryUnescape(kept[4]); err != nil {
		return who, "", errFlow
	}
	otherIssuer := query.Has("iss") && query.Get("iss") != p.cfg.Issuer // RFC 9207
	if query.Get("error") != "" || query.Get("code") == "" || otherIssuer {
		return who, next, errDenied
	}
	d, err := p.discover(ctx)
	if err != nil {
		return who, next, err
	}
	ctx = oidc.ClientContext(ctx, p.client)
	token, err := p.oauth(d).Exchange(ctx, query.Get("code"), oauth2.VerifierOption(kept[2]))
	if err != nil {
		if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok &&
			refused.Response.StatusCode < 500 {
			return who, next, errDenied
		}
		return who, next, p.unavailable(err)
	}
	if who, err = p.identify(ctx, d, token, kept[1]); err != nil {
		return who, next, err
	}
	after, err := strconv.ParseInt(kept[3], 10, 64)
	if err != nil {
		return who, next, errFlow
	}
	if after > 0 && who.SignedIn.Unix() < after {
		return who, next, errNotAgain
	}
	return who, next, nil
}

// identify verifies the ID token and returns the user's identity.
func (p *Provider) identify(ctx context.Context, d *discovered, token *oauth2.Token, nonce string) (Identity, error) {
	raw, _ := token.Extra("id_token").(string)
	id, err := d.Verifier(&oidc.Config{ClientID: p.cfg.ClientID}).Verify(ctx, raw)
	if err != nil || id.Nonce == "" || subtle.ConstantTimeCompare([]byte(id.Nonce),
		[]byte(nonce)) != 1 || id.Subject == "" {
		return Identity{}, errDenied
	}
	all := claims{}
	if err := id.Claims(&all); err != nil || all["azp"] != nil && all["azp"] != p.cfg.ClientID {
		return Identity{}, errDenied // a token with azp was issued to that client, whoever else may read it
	}
	if d.UserInfoEndpoint() != "" && (all["email"] == nil || all.claimAt(p.cfg.RolesClaim) == nil) {
		if err := p.addUserInfo(ctx, d, token, id.Subject, all); err != nil {
			return Identity{}, err
		}
	}
	signedIn := time.Time{}
	if at, ok := all["auth_time"].(float64); ok {
		signedIn = time.Unix(int64(at), 0)
	}
	return Identity{
		SignedIn: signedIn,
		Issuer:   id.Issuer, Subject: id.Subject, Email: all.textAt("email"),
		Verified: all.isTrue("email_verified"), Name: all.textAt("name"),
		Role: p.cfg.RoleOf(all.texts(p.cfg.RolesClaim)),
	}, nil
}

// addUserInfo adds the claims that are missing in the ID token.
func (p *Provider) addUserInfo(ctx context.Context, d *discovered, token *oauth2.Token,
	subject string, all claims) error {
	info, err := d.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return p.unavailable(err)
	}
	more := claims{}
	if err := info.Claims(&more); err != nil || info.Subject != subject {
		return errDenied
	}
	all.addMissing(more)
	return nil
}
