// Package reach decides which releases and jobs the permissions of a request allow to read and
// change.
package reach

import (
	"context"
	"slices"

	"headless/pkg/cms"
)

// Target is what a release or a job is about.
type Target struct {
	Model  string // slug, or an area such as cms.AreaMedia
	Locale string // of the entry; "" if it is unknown: then one permitted locale suffices
}

// Shows reports whether every target may be read. Without targets, it reports whether anything may
// be read.
func Shows(ctx context.Context, targets ...Target) bool {
	p := cms.PermissionsOf(ctx)
	return p.MayAny(cms.ActionRead) && !slices.ContainsFunc(targets,
		func(t Target) bool { return !p.May(cms.ActionRead, t.Model, t.Locale) })
}

// Check returns FORBIDDEN unless all actions are permitted on every target. Without targets, each
// must be permitted on something.
func Check(ctx context.Context, actions []cms.Action, targets ...Target) error {
	p := cms.PermissionsOf(ctx)
	for _, action := range actions {
		if !p.MayAny(action) {
			return cms.Errorf(cms.CodeForbidden, "You have no permission to %s anything.", action)
		}
		for _, t := range targets {
			if !p.May(action, t.Model, t.Locale) {
				return cms.Errorf(cms.CodeForbidden, "You have no permission to %s %q.", action, t.Model)
			}
		}
	}
	return nil
}
