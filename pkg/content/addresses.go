package content

import (
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/content/tree"
	"headless/pkg/db"
	"headless/pkg/site"
)

// Address is what the address of an entry depends on.
type Address = tree.Address

// putAddress writes the address of a saved entry if the save changes it. before is nil for an entry
// that is new or restored.
func putAddress(t *db.Tx, m *site.Model, before, e *cms.Entry) {
	if before == nil || tree.AddressOf(m, before) != tree.AddressOf(m, e) {
		t.Put(tree.Item(m, e))
	}
}

// maxAddressReads is how many rows AddMissingAddresses reads at most.
const maxAddressReads = 200

// AddMissingAddresses writes the addresses of entries that were last saved by a version that wrote
// none, as far as some ids name such entries.
func (s *Store) AddMissingAddresses(ctx context.Context, now *site.Site, ids []string) error {
	known, err := s.Addresses(ctx, ids)
	if err != nil {
		return err
	}
	var refs []Reference
	for _, id := range ids {
		if _, ok := known[id]; ok {
			continue
		}
		for _, m := range now.Models {
			if len(refs) < maxAddressReads {
				refs = append(refs, Reference{Model: m, ID: id})
			}
		}
	}
	entries, err := s.EntriesByID(cms.WithPermissions(ctx, nil), refs)
	if err != nil {
		return err
	}
	for i, e := range entries {
		if e == nil {
			continue
		}
		t := s.Begin()
		t.Create(tree.Item(refs[i].Model, e), db.ErrOvertaken)
		RequireUnchanged(t, refs[i].Model, e)
		// Whoever changed the entry in the meantime wrote its address.
		if err := s.Commit(ctx, t); err != nil && !errors.Is(err, db.ErrOvertaken) {
			return err
		}
	}
	return nil
}
