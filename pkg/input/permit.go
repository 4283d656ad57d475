package input

import (
	"cmp"
	"context"
	"errors"

	"headless/pkg/cms"
)

// Permit checks that an action on an area such as cms.AreaMedia is permitted. NOT_FOUND if the area
// may not be read, else FORBIDDEN. what names the thing in the message, such as "file".
func Permit(ctx context.Context, action cms.Action, area, what string) error {
	err := cms.PermissionsOf(ctx).Check(action, area, "", what)
	var e *cms.Error
	if what == "file" && errors.As(err, &e) && e.Code == cms.CodeNotFound {
		e.Code = cms.CodeFileNotFound
	}
	return err
}

// PermitPublic checks an action whose result the public sees at once. It also needs the permission
// to publish.
func PermitPublic(ctx context.Context, action cms.Action, area, what string) error {
	if err := Permit(ctx, action, area, what); err != nil {
		return err
	}
	return Permit(ctx, cms.ActionPublish, area, what)
}

// PermitLocales checks that actions on an area are permitted in the locales in which they change what readers see. The
// message of FORBIDDEN names the first locale in which one is not.
func PermitLocales(ctx context.Context, area, what string, locales []string, actions ...cms.Action) error {
	for _, locale := range locales {
		for _, action := range actions {
			if err := cms.PermissionsOf(ctx).Check(action, area, locale, what); err != nil {
				return err
			}
		}
	}
	return nil
}

// ChangedLocales returns the locales in which a text differs. The text for all others is that of every locale without
// one of its own.
func ChangedLocales(locales []cms.Locale, was, now map[string]string, othersWas, othersNow string) []string {
	var changed []string
	for _, l := range locales {
		if cmp.Or(was[l.Code], othersWas) != cmp.Or(now[l.Code], othersNow) {
			changed = append(changed, l.Code)
		}
	}
	return changed
}
