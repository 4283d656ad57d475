package input

import (
	"context"
	"errors"

	"headless/pkg/cms"
)

// Permit checks that an action on an area such as cms.AreaMedia is permitted. NOT_FOUND if the area
// may not be read, else FORBIDDEN. noun names the thing in the message, such as "file".
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
