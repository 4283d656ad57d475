package oidc

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
)

// Config describes the OpenID Connect provider. The zero Config means none.
type Config struct {
	Issuer       string // OIDC_ISSUER
	ClientID     string // OIDC_CLIENT_ID
	ClientSecret string // OIDC_CLIENT_SECRET; "" for a public client, or with ReadSecret
	RolesClaim   string // OIDC_ROLES_CLAIM: a claim, or a path of claims with dots
	Roles        []Mapping
	PasswordsOff bool // PASSWORD_LOGIN=off: nobody signs in by password
	// ReadSecret reads the client secret when the provider is first used. nil: ClientSecret holds it.
	ReadSecret func() (string, error)
}

// Mapping gives the members of a group a role. The first mapping that matches counts.
type Mapping struct{ Group, Role string }

// defaultClaim is the claim in which most providers list the groups of a user.
const defaultClaim = "groups"

// FromEnv reads the configuration. An error names the wrong variable.
func FromEnv(getenv func(string) string) (Config, error) {
	c := Config{
		Issuer: getenv("OIDC_ISSUER"), ClientID: getenv("OIDC_CLIENT_ID"),
		ClientSecret: getenv("OIDC_CLIENT_SECRET"),
		RolesClaim:   getenv("OIDC_ROLES_CLAIM"),
	}
	c.RolesClaim = cmp.Or(c.RolesClaim, defaultClaim)
	switch getenv("PASSWORD_LOGIN") {
	case "", "on":
	case "off":
		c.PasswordsOff = true
	default:
		return c, errors.New("PASSWORD_LOGIN: must be on or off")
	}
	var err error
	if c.Roles, err = parseRoles(getenv("OIDC_ROLES")); err != nil {
		return c, fmt.Errorf("OIDC_ROLES: %w", err)
	}
	if c.Issuer == "" {
		if c.PasswordsOff {
			return c, errors.New("PASSWORD_LOGIN: off needs OIDC_ISSUER, or nobody could sign in")
		}
		return c, nil
	}
	if err := CheckAddress(c.Issuer); err != nil {
		return c, fmt.Errorf("OIDC_ISSUER: %w", err)
	}
	if c.ClientID == "" {
		return c, errors.New("OIDC_CLIENT_ID: is required with OIDC_ISSUER")
	}
	if len(c.Roles) == 0 {
		return c, errors.New("OIDC_ROLES: has no roles, so nobody could sign in")
	}
	return c, nil
}

// parseRoles parses pairs such as "editors=editor,Site Admins=admin".
func parseRoles(s string) (list []Mapping, err error) {
	for pair := range strings.SplitSeq(s, ",") {
		if pair = strings.TrimSpace(pair); pair == "" {
			continue
		}
		at := strings.LastIndexByte(pair, '=')
		if at <= 0 || at == len(pair)-1 {
			return nil, fmt.Errorf("%q is not group=role", pair)
		}
		list = append(list, Mapping{strings.TrimSpace(pair[:at]), strings.TrimSpace(pair[at+1:])})
	}
	return list, nil
}

// CheckAddress returns an error for a provider URL that is not https, except on loopback.
func CheckAddress(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil {
		return errors.New("must be a URL such as https://login.example.com")
	}
	ip := net.ParseIP(u.Hostname())
	loopback := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	if u.Scheme == "https" || u.Scheme == "http" && loopback {
		return nil
	}
	return errors.New("must start with https:// (http is allowed for loopback only)")
}

// RoleOf returns the role of the first mapping that matches a group, "" if none does.
func (c Config) RoleOf(groups []string) string {
	for _, m := range c.Roles {
		if slices.Contains(groups, m.Group) {
			return m.Role
		}
	}
	return ""
}
