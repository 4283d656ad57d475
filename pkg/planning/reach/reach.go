// Package reach decides which releases and jobs the permissions of a request allow to read and
// change.
package reach

import (
	"context"
	"slices"

	"headless/pkg/cms"
)

// Rules returns the permissions of a context, to store with work that runs later; nil permits
// everything.
func Rules(ctx context.Context) *[]cms.Rule {
	p := cms.PermissionsOf(ctx)
	if p == nil {
		return nil
	}
	rules := slices.Clone(p.Rules())
	return &rules
}

// With returns a context with the stored permissions.
func With(ctx context.Context, rules *[]cms.Rule) context.Context {
	if rules == nil {
		return ctx
	}
	return cms.WithPermissions(ctx, cms.NewPermissions(*rules))
}

// Shows reports whether every one of the models may be read. Without models, it reports whether
// anything may be read.
func Shows(ctx context.Context, models ...string) bool {
	p := cms.PermissionsOf(ctx)
	if p == nil {
		return true
	}
	return len(p.Rules()) > 0 &&
		!slices.ContainsFunc(models, func(m string) bool { return !p.May(cms.ActionRead, m, "") })
}

// Open returns the error missing if Shows is false, and otherwise the result of Check.
func Open(ctx context.Context, action cms.Action, missing error, models ...string) error {
	if !Shows(ctx, models...) {
		return missing
	}
	return Check(ctx, action, models...)
}

// Check returns FORBIDDEN unless an action is permitted on every one of the models. Without models,
// it must be permitted on at least one model.
func Check(ctx context.Context, action cms.Action, models ...string) error {
	p := cms.PermissionsOf(ctx)
	if p == nil {
		return nil
	}
	for _, m := range models {
		if !p.May(action, m, "") {
			return cms.Errorf(cms.CodeForbidden, "You have no permission to %s %q.", action, m)
		}
	}
	anywhere := func(r cms.Rule) bool { return len(r.Actions) == 0 || slices.Contains(r.Actions, action) }
	if len(models) == 0 && !slices.ContainsFunc(p.Rules(), anywhere) {
		return cms.Errorf(cms.CodeForbidden, "You have no permission to %s anything.", action)
	}
	return nil
}
