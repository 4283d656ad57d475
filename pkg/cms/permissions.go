package cms

import (
	"cmp"
	"context"
	"slices"
)

// Action is an action on content that a role can permit (extensions §11).
type Action string

// The actions. A change that the public sees needs ActionPublish as well as the action itself.
const (
	ActionRead    Action = "read"
	ActionWrite   Action = "write"
	ActionPublish Action = "publish"
	ActionDelete  Action = "delete"
	// The actions of reviews (extensions §14). Only rules that name them permit them, so package
	// rights looks them up in the rules of the user's role.
	ActionApprove    Action = "approve"
	ActionSkipReview Action = "skip_review"
)

// Actions lists every action in the order of the documentation.
func Actions() []Action {
	return []Action{ActionRead, ActionWrite, ActionPublish, ActionDelete, ActionApprove, ActionSkipReview}
}

// Areas that rules list among models. Their names are reserved: no model can have them.
const (
	AreaMedia     = "media"
	AreaForms     = "forms"
	AreaSettings  = "settings"
	AreaRedirects = "redirects"
	AreaMenus     = "menus"
)

// Areas lists the areas.
func Areas() []string { return []string{AreaMedia, AreaForms, AreaSettings, AreaRedirects, AreaMenus} }

// Rule permits some actions on some models in some locales. An empty list means all, but no empty
// list of actions permits ActionApprove and ActionSkipReview.
type Rule struct {
	Models  []string `json:"models"`
	Locales []string `json:"locales"`
	Actions []Action `json:"actions"`
}

// Permissions are the actions on content that a user or a key may perform. A nil *Permissions
// permits everything; one without rules permits nothing.
//
// They are part of the context of a request, and the storage checks them: Store.Site returns
// readable models only, reads return readable entries only, and Store.Commit refuses a change that
// is not permitted.
type Permissions struct {
	rules []Rule
	also  *Permissions // must permit it, too
}

// NewPermissions returns permissions with the given rules.
func NewPermissions(rules []Rule) *Permissions { return &Permissions{rules: rules} }

// And returns permissions for what both p and other permit.
func (p *Permissions) And(other *Permissions) *Permissions {
	if p == nil || other == nil {
		return cmp.Or(p, other)
	}
	return &Permissions{rules: p.rules, also: p.also.And(other)}
}

// MayAny reports whether an action is permitted on anything.
func (p *Permissions) MayAny(action Action) bool {
	if p == nil {
		return true
	}
	return p.also.MayAny(action) && slices.ContainsFunc(p.rules, func(r Rule) bool { return r.allows(action) })
}

// ReadsAll reports whether reading is permitted on everything.
func (p *Permissions) ReadsAll() bool {
	return p == nil || p.also.ReadsAll() && slices.ContainsFunc(p.rules, func(r Rule) bool {
		return len(r.Models) == 0 && len(r.Locales) == 0 && r.allows(ActionRead)
	})
}

// May reports whether an action is permitted on a model, or on an area such as AreaMedia, in a
// locale. With the locale "" it reports whether it is permitted in at least one locale.
func (p *Permissions) May(action Action, model, locale string) bool {
	if p == nil {
		return true
	}
	return p.also.May(action, model, locale) && slices.ContainsFunc(p.rules, func(r Rule) bool {
		return allows(r.Models, model) && r.allows(action) && (locale == "" || allows(r.Locales, locale))
	})
}

// Locales returns the locales of the list in which an action on a model is permitted.
func (p *Permissions) Locales(action Action, model string, locales []string) []string {
	if p == nil {
		return locales
	}
	return slices.DeleteFunc(slices.Clone(locales), func(l string) bool { return !p.May(action, model, l) })
}

func (r Rule) allows(action Action) bool {
	if action == ActionApprove || action == ActionSkipReview {
		return slices.Contains(r.Actions, action)
	}
	return allows(r.Actions, action)
}

func allows[T comparable](list []T, v T) bool { return len(list) == 0 || slices.Contains(list, v) }

// Check returns nil if the action is permitted. Otherwise it returns NOT_FOUND if reading is not
// permitted either, else FORBIDDEN. noun names the thing in the message of NOT_FOUND, such as
// "file".
func (p *Permissions) Check(action Action, model, locale, noun string) error {
	switch {
	case p.May(action, model, locale):
		return nil
	case !p.May(ActionRead, model, ""):
		return Errorf(CodeNotFound, "There is no such %s.", noun)
	case locale == "":
		return Errorf(CodeForbidden, "You have no permission to %s %q.", action, model)
	default:
		return Errorf(CodeForbidden, "You have no permission to %s %q in the locale %q.", action, model, locale)
	}
}

type permissionsKey struct{}

// WithPermissions returns a context with permissions. Nil permits everything, as does a context
// without permissions.
func WithPermissions(ctx context.Context, p *Permissions) context.Context {
	return context.WithValue(ctx, permissionsKey{}, p)
}

// PermissionsOf returns the permissions of a context; nil permits everything.
func PermissionsOf(ctx context.Context) *Permissions {
	p, _ := ctx.Value(permissionsKey{}).(*Permissions)
	return p
}

type causesKey struct{}

// WithCauses returns a context with the actors who caused the changes that are made with it.
func WithCauses(ctx context.Context, by ...Actor) context.Context {
	return context.WithValue(ctx, causesKey{}, by)
}

// CausesOf returns the actors who caused the changes of a context, else the actor who makes them.
func CausesOf(ctx context.Context, actor Actor) []Actor {
	if by, ok := ctx.Value(causesKey{}).([]Actor); ok {
		return by
	}
	return []Actor{actor}
}

// Permissions returns the models and locales that the key is restricted to, nil if it is not
// restricted. Its scopes decide which actions are permitted. Forms, settings, redirects and menus are
// public, so they stay readable for keys with a list of models; media must be in the list.
func (k *Key) Permissions() *Permissions {
	if len(k.Models) == 0 && len(k.Locales) == 0 {
		return nil
	}
	rule := Rule{Models: k.Models, Locales: k.Locales}
	if len(k.Models) > 0 {
		rule.Models = append(slices.Clone(k.Models), AreaForms, AreaSettings, AreaRedirects, AreaMenus)
	}
	return NewPermissions([]Rule{rule})
}
