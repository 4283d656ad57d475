package logs

import (
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
)

// ActivityFilters returns the names of the filters of the activity log.
func ActivityFilters() []string {
	return []string{"actor", "event", "source", "subject", "subject_id", "address", "request_id"}
}

// Anonymous is the value of the filter actor for lines without an actor.
const Anonymous = "anonymous"

// valueOfActivity returns the value that a filter of the activity log compares.
func valueOfActivity(a db.Activity, name string) string {
	switch name {
	case "actor":
		if a.Actor == nil {
			return Anonymous
		}
		return *a.Actor
	case "event":
		return a.Event
	case "source":
		return a.Source
	case "request_id":
		return a.RequestID
	case "address":
		return textOf(a.Address)
	case "subject_id":
		return textOf(a.SubjectID)
	}
	return a.Subject
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// Readable reports whether p allows reading the subject of an activity; nil permits everything.
func Readable(p *cms.Permissions, a db.Activity) bool {
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

// ofAccounts are the first words of the kinds about accounts, keys, webhooks and roles.
var ofAccounts = []string{"device", "grant", "invitation", "key", "passkey", "password", "person", "role", "session",
	"target", "token", "totp", "user", "webhook"}

func isOfAccounts(a db.Activity) bool {
	kind, _, _ := strings.Cut(a.Event, ".")
	return slices.Contains(ofAccounts, kind)
}

// RequestFilters returns the names of the filters of the request log.
func RequestFilters() []string { return []string{"key", "method", "path", "status"} }

// valueOfRequest returns the value that a filter of the request log compares.
func valueOfRequest(r db.RequestLine, name string) string {
	switch name {
	case "key":
		return r.Key
	case "method":
		return r.Method
	case "status":
		return strconv.Itoa(r.Status)
	}
	return r.Path
}
