package content

import (
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/table"
)

// Address is what the address of an entry depends on, its title, and who may see it. It is a small row
// with the id alone as its key, since a reference in a text names no model.
type Address struct {
	ModelID string     `json:"m"`
	Locale  string     `json:"l"`
	Status  cms.Status `json:"s"`
	Slug    string     `json:"g"`
	Title   string     `json:"t,omitempty"`
	Day     string     `json:"d,omitempty"` // see cms.Place
}

func addressOf(m *site.Model, e *cms.Entry) Address {
	return Address{ModelID: m.ID, Locale: e.Locale, Status: e.Status, Slug: e.Slug,
		Title: e.Title, Day: e.PublishedAt.Day()}
}

// Place returns the place of the entry with this id.
func (a Address) Place(id string) cms.Place {
	return cms.Place{ID: id, Locale: a.Locale, Slug: a.Slug, Day: a.Day}
}

// On returns the address of the entry with this id on the site, as links in texts show it; "" if its
// model does not exist or may not be read.
func (a Address) On(now *site.Site, id string) string {
	if m := now.ModelByID(a.ModelID); m != nil {
		return m.LinkTo(a.Place(id))
	}
	return ""
}

func addressItem(m *site.Model, e *cms.Entry) table.Item {
	return table.Item{Key: addressKey(e.ID), Body: db.MustMarshal(addressOf(m, e))}
}

// putAddress writes the address of a saved entry if the save changes it. before is nil for an entry
// that is new or restored.
func putAddress(t *db.Tx, m *site.Model, before, e *cms.Entry) {
	if before == nil || addressOf(m, before) != addressOf(m, e) {
		t.Put(addressItem(m, e))
	}
}

// Addresses reads the addresses of entries in one round trip, by id. Those without an entry are
// missing. It does not check permissions.
func (s *Store) Addresses(ctx context.Context, ids []string) (map[string]Address, error) {
	found := map[string]Address{}
	if len(ids) == 0 {
		return found, nil
	}
	keys := make([]table.Key, len(ids))
	for i, id := range ids {
		keys[i] = addressKey(id)
	}
	items, err := s.Table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	for i, item := range items {
		if item == nil {
			continue
		}
		var a Address
		if err := db.Unmarshal(item.Body, &a); err != nil {
			return nil, err
		}
		found[ids[i]] = a
	}
	return found, nil
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
		t.Create(addressItem(refs[i].Model, e), db.ErrOvertaken)
		RequireUnchanged(t, refs[i].Model, e)
		// Whoever changed the entry in the meantime wrote its address.
		if err := s.Commit(ctx, t); err != nil && !errors.Is(err, db.ErrOvertaken) {
			return err
		}
	}
	return nil
}
