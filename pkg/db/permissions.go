package db

import (
	"strings"

	"headless/pkg/cms"
)

// Need is a permission that the commit of a transaction requires.
type Need struct {
	Action        cms.Action
	Model, Locale string
}

func (t *Tx) permitted(p *cms.Permissions) error {
	for _, n := range t.Needs {
		if err := p.Check(n.Action, n.Model, n.Locale, "entry"); err != nil {
			return err
		}
	}
	return nil
}

// readableSubject reports whether p allows reading the subject of a line of the activity log.
func readableSubject(p *cms.Permissions, a Activity) bool {
	if p == nil {
		return true
	}
	kind, _, _ := strings.Cut(a.Event, ".")
	switch kind {
	case "entry", "preview":
		model, rest, ok := strings.Cut(a.Subject, "/")
		at := strings.LastIndexByte(rest, '(')
		return ok && at >= 0 && p.May(cms.ActionRead, model, strings.TrimSuffix(rest[at+1:], ")"))
	case "media", "folder":
		return p.May(cms.ActionRead, cms.AreaMedia, "")
	case "form", "submission":
		return p.May(cms.ActionRead, cms.AreaForms, "")
	case "redirect":
		return p.May(cms.ActionRead, cms.AreaRedirects, "")
	case "menu":
		return p.May(cms.ActionRead, cms.AreaMenus, "")
	case "settings", "setting":
		return p.May(cms.ActionRead, cms.AreaSettings, "")
	}
	return false
}
