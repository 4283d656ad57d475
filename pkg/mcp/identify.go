package mcp

import (
	"errors"
	"net/http"
	"reflect"

	"headless/pkg/access/grants"
	"headless/pkg/api/pipeline"
	"headless/pkg/apikeys"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/web"
)

// identify returns the request in the name of the user of an access token. The request is returned
// unchanged if the token is not valid. nil means that it was answered.
func (h *Handler) identify(w http.ResponseWriter, r *http.Request, token string) *http.Request {
	owner, err := h.Grants.Owner(r.Context(), token)
	switch {
	case hasEnded(err):
		return r
	case err != nil:
		http.Error(w, "The service is busy. Try again.", http.StatusServiceUnavailable)
		return nil
	case owner.NeedsFactor:
		http.Error(w, "Your role requires a second factor: set one up in the admin area.", http.StatusForbidden)
		return nil
	}
	r = r.WithContext(pipeline.As(r.Context(), visitor(owner)))
	web.AskAgain(r, func() error {
		again, err := h.Grants.Owner(r.Context(), token)
		if hasEnded(err) {
			return errEnded
		}
		if err == nil && (again.NeedsFactor || !reflect.DeepEqual(again.Permissions, owner.Permissions)) {
			err = web.ErrOtherRights
		}
		return err
	})
	return r
}

var errEnded = cms.Errorf(cms.CodeUnauthorized, "This access token has ended.")

// hasEnded reports whether the error of a token says that it is not valid, or ended with its account.
func hasEnded(err error) bool {
	return errors.Is(err, db.ErrNotFound) || cms.CodeOf(err) == cms.CodeForbidden
}

// visitor has the rights of the user up to the level of the grant.
func visitor(o grants.Owner) *pipeline.Visitor {
	admin, key := cms.RoleAdmin, cms.NewKey() // drafts are shown
	key.ID, key.Name, key.Scopes, key.Role = o.Grant.ID, o.Grant.Name, o.Grant.Scope.Scopes(), &admin
	return &pipeline.Visitor{Key: apikeys.Key{Key: key}, Actor: o.Actor, Permissions: o.Permissions}
}
