// Package reach says which releases and jobs the permissions of a request reach.
package reach

import (
	"context"
	"slices"

	"headless/pkg/cms"
)

// Rules are the permissions of a context, to be stored with what runs later; nil permits all.
func Rules(ctx context.Context) *[]cms.Rule {
	p := cms.PermissionsOf(ctx)
	if p == nil {
		return nil
	}
	rules := slices.Clone(p.Rules())
	return &rules
}

// With is a context with permissions as they were stored.
func With(ctx context.Context, rules *[]cms.Rule) context.Context {
	if rules == nil {
		return ctx
	}
	return cms.WithPermissions(ctx, cms.NewPermissions(*rules))
}

// Shows reports whether all of some models may be read; of none, whether anything may.
func Shows(ctx context.Context, models ...string) bool {
	p := cms.PermissionsOf(ctx)
	if p == nil {
		return true
	}
	return len(p.Rules()) > 0 &&
		!slices.ContainsFunc(models, func(m string) bool { return !p.May(cms.ActionRead, m, "") })
}

// Open is missing where Shows is false, and else as Check.
func Open(ctx context.Context, action cms.Action, missing error, models ...string) error {
	if !Shows(ctx, models...) {
		return missing
	}
	return Check(ctx, action, models...)
}

// Check is FORBIDDEN where an action is not permitted on one of some models; of none, where it is
// permitted on nothing.
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
