package cms

import (
	"context"
	"slices"
)

// Action is something that a role permits with content (extensions §11).
type Action string

// The actions. ActionPublish is needed, beside the others, for every change that the public sees.
const (
	ActionRead    Action = "read"
	ActionWrite   Action = "write"
	ActionPublish Action = "publish"
	ActionDelete  Action = "delete"
)

// Actions lists every action in the order of the documentation.
func Actions() []Action { return []Action{ActionRead, ActionWrite, ActionPublish, ActionDelete} }

// Names that stand among the models of a rule and mean something that is not a model. No model can
// have them: they are reserved.
const (
	AreaMedia     = "media"
	AreaForms     = "forms"
	AreaSettings  = "settings"
	AreaRedirects = "redirects"
)

// Areas lists those names.
func Areas() []string { return []string{AreaMedia, AreaForms, AreaSettings, AreaRedirects} }

// Rule permits some actions on some models in some locales. An empty list means all.
type Rule struct {
	Models  []string `json:"models"`
	Locales []string `json:"locales"`
	Actions []Action `json:"actions"`
}

// Permissions say what a user or a key may do with content. A nil *Permissions permits everything;
// one without rules permits nothing.
//
// They travel in the context of a request, so that the rooms check them wherever content is read or
// changed: Store.Site shows readable models only, reads of entries find readable ones only, and
// Store.Commit refuses a change that is not permitted.
type Permissions struct{ rules []Rule }

// NewPermissions makes the permissions of some rules.
func NewPermissions(rules []Rule) *Permissions { return &Permissions{rules} }

// Rules are the rules that the permissions were made of; nil where everything is permitted.
func (p *Permissions) Rules() []Rule {
	if p == nil {
		return nil
	}
	return p.rules
}

// May reports whether an action is permitted on a model, or on an area such as AreaMedia, in a
// locale. The locale "" asks whether there is any locale in which it is.
func (p *Permissions) May(action Action, model, locale string) bool {
	if p == nil {
		return true
	}
	return slices.ContainsFunc(p.rules, func(r Rule) bool {
		return allows(r.Models, model) && allows(r.Actions, action) &&
			(locale == "" || allows(r.Locales, locale))
	})
}

// Locales returns those of some locales in which an action on a model is permitted.
func (p *Permissions) Locales(action Action, model string, locales []string) []string {
	if p == nil {
		return locales
	}
	return slices.DeleteFunc(slices.Clone(locales), func(l string) bool { return !p.May(action, model, l) })
}

func allows[T comparable](list []T, v T) bool { return len(list) == 0 || slices.Contains(list, v) }

// Check is nil where the action is permitted. Otherwise it is NOT_FOUND where what is asked for may
// not even be read, else FORBIDDEN. What names the thing in the message of NOT_FOUND, such as
// "file".
func (p *Permissions) Check(action Action, model, locale, what string) error {
	switch {
	case p.May(action, model, locale):
		return nil
	case !p.May(ActionRead, model, ""):
		return Errorf(CodeNotFound, "There is no such %s.", what)
	case locale == "":
		return Errorf(CodeForbidden, "You have no permission to %s %q.", action, model)
	default:
		return Errorf(CodeForbidden, "You have no permission to %s %q in the locale %q.", action,
			model, locale)
	}
}

type permissionsKey struct{}

// WithPermissions returns a context in which p holds. With nil everything is permitted, as in a
// context that says nothing.
func WithPermissions(ctx context.Context, p *Permissions) context.Context {
	return context.WithValue(ctx, permissionsKey{}, p)
}

// PermissionsOf returns the permissions that hold in a context; nil permits everything.
func PermissionsOf(ctx context.Context) *Permissions {
	p, _ := ctx.Value(permissionsKey{}).(*Permissions)
	return p
}

// Permissions returns what the key may reach by its models and locales; nil where it names none.
// What it may do there is a matter of its scopes. Forms, settings and redirects are public, so a
// list of models does not take them away; media must be named.
func (k *Key) Permissions() *Permissions {
	if len(k.Models) == 0 && len(k.Locales) == 0 {
		return nil
	}
	rule := Rule{Models: k.Models, Locales: k.Locales}
	if len(k.Models) > 0 {
		rule.Models = append(slices.Clone(k.Models), AreaForms, AreaSettings, AreaRedirects)
	}
	return NewPermissions([]Rule{rule})
}
