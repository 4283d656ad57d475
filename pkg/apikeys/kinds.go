package apikeys

import (
	"slices"

	"headless/pkg/cms"
)

// setKind gives a new key the kind that the body names. A publishable key has its own prefix, the
// scope read and its own default limit.
func (in *keyInput) setKind(key *cms.Key) {
	if in.Kind == nil || *in.Kind != cms.KeyPublishable {
		return
	}
	key.Kind, key.Scopes = cms.KeyPublishable, []string{cms.ScopeRead}
	key.PublicKey = "pub_" + key.PublicKey[len("pk_"):]
	key.RateLimit = cms.DefaultPublishableLimit
}

// checkKind reports a change of the kind, and settings that a publishable key cannot have
// (extensions §8).
func (in *keyInput) checkKind(key *cms.Key, p cms.Problems) {
	if in.Kind != nil && *in.Kind != key.Kind {
		if *in.Kind != cms.KeySecret && *in.Kind != cms.KeyPublishable {
			p.Add("kind", "must be secret or publishable")
		} else {
			p.Add("kind", "cannot be changed")
		}
	}
	if !key.IsPublishable() {
		return
	}
	if key.Role != nil {
		p.Add("role", "must be null: a publishable key reads published content only")
	}
	if slices.ContainsFunc(key.Scopes, func(scope string) bool { return scope != cms.ScopeRead }) {
		p.Add("scopes", "must be read: a publishable key cannot write")
	}
}
