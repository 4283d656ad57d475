package health

import (
	"context"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/recheck"
)

var errNoFinding = cms.Errorf(cms.CodeNotFound, "There is no such finding.")

// Place names a finding.
type Place struct {
	Kind  Kind
	ID    string // of the entry
	Field string
}

// DecodePlace reads a place from a body. Error: VALIDATION_FAILED.
func DecodePlace(body map[string]any) (Place, error) {
	in, p := input.Decode[struct {
		Kind  Kind   `json:"kind"`
		Field string `json:"field"`
	}](body, "model")
	at := Place{Kind: in.Kind, Field: in.Field}
	if !slices.Contains(Kinds, at.Kind) && len(p["kind"]) == 0 {
		p.Add("kind", "must be a kind of finding")
	}
	id, _ := body["id"].(string) // Decode leaves it out
	var ok bool
	if at.ID, ok = input.CanonicalID(id); !ok {
		p.Add("id", "must be the id of an entry")
	}
	return at, p.Err()
}

// Ignore keeps a finding away until the value at its field changes; with end set, it shows the finding
// again. The caller needs to be permitted to write the entry. Errors: FORBIDDEN; NOT_FOUND.
func (c Checks) Ignore(ctx context.Context, actor cms.Actor, at Place, end bool) error {
	found, err := c.Store.Addresses(ctx, []string{at.ID})
	if err != nil {
		return err
	}
	now, err := c.Store.Site(ctx)
	if err != nil {
		return err
	}
	a := found[at.ID]
	m := now.ModelByID(a.ModelID)
	permitted := cms.PermissionsOf(ctx)
	if m == nil || !permitted.May(cms.ActionRead, m.Slug, a.Locale) {
		return errNoFinding
	}
	if err := permitted.Check(cms.ActionWrite, m.Slug, a.Locale, "entry"); err != nil {
		return err
	}
	system := cms.WithPermissions(ctx, nil)
	if err := c.Store.Retry(system, func() error { return c.ignore(system, actor, m.ID, at, end) }); err != nil {
		return err
	}
	return c.checkEntries(system, map[target]bool{{m.ID, at.ID}: false})
}

// ignore changes what is ignored in the state of an entry. A timer checks the entry.
func (c Checks) ignore(ctx context.Context, actor cms.Actor, modelID string, at Place, end bool) error {
	read, err := c.readEntries(ctx, target{modelID, at.ID})
	if err != nil {
		return err
	}
	v := read[0]
	i := slices.IndexFunc(v.state.Found, func(f Found) bool { return f.Kind == at.Kind && f.Field == at.Field })
	if i < 0 || v.e == nil || end && v.state.Found[i].Ignored == nil {
		return errNoFinding
	}
	tx := c.Store.Begin()
	field := v.fieldNow(at.Field, v.state.Found[i].Gen) // until a check follows a rename, the finding has the former name
	v.state.Ignored = slices.DeleteFunc(v.state.Ignored,
		func(g ignore) bool { return g.Kind == at.Kind && g.Field == field })
	if !end {
		if at.Kind == TranslationOutdated { // its value is one of the original
			if err := c.lookAtGroup(ctx, v, func(Kind, string, ...string) {}); err != nil {
				return err
			}
		}
		v.state.Ignored = append(v.state.Ignored, ignore{Kind: at.Kind, Field: field,
			Value: v.valueHash(at.Kind, field), By: By{User: actor.UserID, At: tx.At()}, Gen: v.m.Gen})
	}
	recheck.Entry(tx, modelID, at.ID)
	v.state.putIn(tx, stateKey(modelID, at.ID), 0)
	return c.Store.Commit(ctx, tx)
}
