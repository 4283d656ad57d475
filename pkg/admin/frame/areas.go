package frame

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"headless/pkg/cms"
)

// area is the rights of custom roles on the routes with a given first path segment.
type area int

const (
	areaClosed  area = iota // nothing
	areaOwn                 // everything: these routes are for the user's own account
	areaContent             // what editors may do; the services check the rules of the role
	areaNamed               // what the rules for the segment allow, such as media
)

// Areas lists the first segment of every route below Base. A test fails if a route has another one.
var Areas = map[string]area{
	"": areaOwn, "login": areaOwn, "logout": areaOwn, "me": areaOwn, "profile": areaOwn,
	"totp": areaOwn, "passkeys": areaOwn, "device": areaOwn, "grants": areaOwn,
	"sessions": areaOwn, "tokens": areaOwn, "password": areaOwn, "oidc": areaOwn,
	"confirm": areaOwn, "colleagues": areaOwn, "tasks": areaOwn, "previews": areaOwn, "openapi.json": areaOwn,
	"help": areaOwn,

	"models": areaContent, "search": areaContent, "links": areaContent, "trash": areaContent,
	"locales": areaContent, "activity": areaContent, "activity.csv": areaContent, "jobs": areaContent,
	"releases": areaContent, "reviews": areaContent, "planned": areaContent, "preview": areaContent,
	"health": areaContent, "targets": areaContent,

	cms.AreaMedia: areaNamed, cms.AreaForms: areaNamed, cms.AreaSettings: areaNamed,
	cms.AreaRedirects: areaNamed, "redirects.csv": areaNamed, cms.AreaMenus: areaNamed,

	"users": areaClosed, "roles": areaClosed, "invitations": areaClosed, "keys": areaClosed,
	"webhooks": areaClosed, "requests": areaClosed, "people": areaClosed,
	"styleguide": areaClosed,
	"purge":      areaClosed, "schema": areaClosed, "import": areaClosed, "export": areaClosed, "start": areaClosed,
}

// SegmentOf returns the first segment of a route pattern.
func SegmentOf(pattern string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(pattern, "/"), "/")
	if first == "{$}" {
		return ""
	}
	return first
}

// mayUse checks that the role of the user may use a route. Errors: TOTP_REQUIRED if the role
// requires a second factor that is missing, NOT_FOUND for what the user may not read, else
// FORBIDDEN.
func (c *Call) mayUse(method string, route Route) error {
	if route.Role == "" {
		return nil
	}
	segment := SegmentOf(route.Pattern)
	if err := c.lacksFactor(); err != nil &&
		!slices.Contains([]string{"me", "profile", "totp", "passkeys", "confirm", "logout"}, segment) {
		return err
	}
	if c.User.Role.IsBuiltin() {
		if !atLeast(c.User.Role, route.Role) {
			return cms.Errorf(cms.CodeForbidden, "Requires the %s role.", route.Role)
		}
		return nil
	}
	switch Areas[segment] {
	case areaOwn:
		return nil
	case areaNamed:
		return mayReach(cms.PermissionsOf(c.R.Context()), cmp.Or(route.For, method),
			strings.TrimSuffix(segment, ".csv"), route.Public)
	case areaContent:
		if atLeast(c.User.Role, route.Role) {
			return nil
		}
	}
	return c.Forbidden()
}

// mayReach checks whether the rules of a role allow a method in an area such as media.
func mayReach(may *cms.Permissions, method, name string, public bool) error {
	action := cms.ActionWrite
	switch method {
	case http.MethodGet:
		action = cms.ActionRead
	case http.MethodDelete:
		action = cms.ActionDelete
	}
	err := may.Check(action, name, "", "address")
	if err == nil && public && action != cms.ActionRead {
		err = may.Check(cms.ActionPublish, name, "", "address")
	}
	return err
}

// MayUse reports whether the user may use a route. Pages show only what leads to such routes.
func (c *Call) MayUse(method, pattern string) bool {
	route, ok := c.A.routes[pattern].Of(method)
	return ok && c.User != nil && c.mayUse(method, route) == nil
}

// MayDo reports whether the user may do an action on entries of a model in a locale, in any with "".
func (c *Call) MayDo(action cms.Action, model, locale string) bool {
	return c.May(cms.RoleEditor) && cms.PermissionsOf(c.R.Context()).May(action, model, locale)
}

// MayMake reports whether the user may make entries of a model.
func (c *Call) MayMake(m cms.Model) bool {
	return c.MayDo(cms.ActionWrite, m.Slug, c.A.cachedSite().LocaleOfNew(m))
}
