package apikeys

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/site"
)

// maxRateLimit is the highest limit of a key, in requests a minute.
const maxRateLimit = 1_000_000

// maxOrigins is the maximum length of a key's list of allowed origins.
const maxOrigins = 100

// keyInput is the body of a key's create and update.
type keyInput struct {
	Name      *string   `json:"name"`
	Scopes    *[]string `json:"scopes"`
	Origins   *[]string `json:"origins"`
	RateLimit *int64    `json:"rate_limit"`
	Role      *string   `json:"role"`
	ExpiresAt *cms.Time `json:"expires_at"`
	Models    *[]string `json:"models"`
	Locales   *[]string `json:"locales"`
	Kind      *string   `json:"kind"`
	Review    *bool     `json:"review"`
}

// applyTo applies the input to a key and reports the problems of the result.
func (in *keyInput) applyTo(key *cms.Key, p cms.Problems) {
	key.Name = input.Given(in.Name, key.Name)
	key.Scopes = input.Given(in.Scopes, key.Scopes)
	key.Origins = append([]string{}, input.Given(in.Origins, key.Origins)...) // null becomes an empty list too
	key.RateLimit = input.Given(in.RateLimit, key.RateLimit)
	key.ExpiresAt = input.Given(in.ExpiresAt, key.ExpiresAt)
	key.Models = input.Given(in.Models, key.Models)
	key.Locales = input.Given(in.Locales, key.Locales)
	key.Review = input.Given(in.Review, key.Review)
	if in.Role != nil {
		key.Role = in.Role
		if *in.Role == "" {
			key.Role = nil
		}
	}
	input.CheckName(p, key.Name)
	checkScopes(p, key)
	checkOrigins(p, key)
	if key.RateLimit < 1 || key.RateLimit > maxRateLimit {
		p.Add("rate_limit", "must be a whole number from 1 to %d", maxRateLimit)
	}
	if key.Role != nil && *key.Role != cms.RoleAdmin {
		p.Add("role", "must be null or admin")
	}
	in.checkKind(key, p)
}

// checkScopes sorts the scopes and removes duplicates.
func checkScopes(p cms.Problems, key *cms.Key) {
	known := []string{cms.ScopeRead, cms.ScopeWrite, cms.ScopeDelete, cms.ScopePublish}
	for i, scope := range key.Scopes {
		if !slices.Contains(known, scope) {
			p.Add("scopes."+strconv.Itoa(i), "must be read, write, delete or publish")
		}
	}
	given := key.Scopes
	key.Scopes = slices.DeleteFunc(known, func(scope string) bool { return !slices.Contains(given, scope) })
}

func checkOrigins(p cms.Problems, key *cms.Key) {
	if len(key.Origins) > maxOrigins {
		p.Add("origins", "must hold at most %d origins", maxOrigins)
		return
	}
	for i, origin := range key.Origins {
		if !validOrigin(origin) {
			p.Add("origins."+strconv.Itoa(i),
				"must be an origin such as https://www.example.com or https://*.example.com")
		}
	}
}

// validOrigin reports whether s is scheme://host[:port]; the first label of the host may be a
// wildcard.
func validOrigin(s string) bool {
	scheme, rest, ok := strings.Cut(s, "://")
	rest = strings.TrimPrefix(rest, "*.")
	u, err := url.Parse(scheme + "://" + rest)
	if !ok || err != nil || u.Host == "" || u.Hostname() == "" || u.Host != rest ||
		strings.HasSuffix(u.Host, ":") || len(s) > 300 {
		return false
	}
	return !strings.ContainsAny(rest, "*, \t")
}

// checkReach checks the models and locales of a key. Names that the key had before are accepted
// even if they no longer exist.
func checkReach(p cms.Problems, s *site.Site, key, was *cms.Key) {
	var before cms.Key
	if was != nil {
		before = *was
	}
	key.Models = s.CheckModels(p, "models", key.Models, before.Models)
	key.Locales = s.CheckLocales(p, "locales", key.Locales, before.Locales)
}
