package groups

import (
	"context"
	"errors"
	"maps"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Group is a set of entries of a model that are translations of one another, at most one per locale
// (extensions §3). Changes start from the row of the group. A copy stands beside each member, so
// that a read finds the other members from any of them.
type Group struct {
	ID      string            `json:"id"`      // "" is no group
	Members map[string]string `json:"members"` // ids by locale
	// Shared is the last change of the values that all members share; nil if there was none. Copies
	// beside members may lack it.
	Shared  *Sharing `json:"shared,omitempty"`
	version int64    // of its row, 0 if it has none
}

// Sharing is a change of the values that the members of a group share.
type Sharing struct {
	Source string    `json:"source"` // id of the member whose values count
	Actor  cms.Actor `json:"actor"`
}

// Decode returns the group of an item: its row, or the copy beside an entry (see
// content.MemberKey). A nil item gives the zero Group.
func Decode(item *table.Item) (*Group, error) {
	g := &Group{}
	if item == nil {
		return g, nil
	}
	g.version = item.Version
	return g, db.Unmarshal(item.Body, g)
}

// ForChange reads the row of the group that an entry belongs to. For an entry in the trash, it is
// the group that the entry was a member of.
func ForChange(ctx context.Context, s *content.Store, m *site.Model, id string) (*Group, error) {
	own, err := Of(ctx, s, m, []string{id})
	if err != nil {
		return nil, err
	}
	if own[0].ID == "" {
		return own[0], nil
	}
	g, err := ByID(ctx, s, m, own[0].ID)
	if errors.Is(err, db.ErrNotFound) {
		return &Group{ID: own[0].ID}, nil // expired: all members have been in the trash for long
	}
	return g, err
}

// Of reads the groups of entries of a model in one round trip.
func Of(ctx context.Context, s *content.Store, m *site.Model, ids []string) ([]*Group, error) {
	refs := slice.Map(ids, func(id string) content.Reference { return content.Reference{Model: m, ID: id} })
	return OfEach(ctx, s, refs)
}

// OfEach is Of for entries of any models.
func OfEach(ctx context.Context, s *content.Store, refs []content.Reference) ([]*Group, error) {
	items, err := s.Each(ctx, refs, content.MemberKey)
	groups := make([]*Group, len(items))
	for i := 0; i < len(items) && err == nil; i++ {
		groups[i], err = Decode(items[i])
	}
	return groups, err
}

// With returns the members of the group with e added. It replaces a member in the same locale.
func (g *Group) With(e *cms.Entry) map[string]string {
	members := map[string]string{e.Locale: e.ID}
	for locale, id := range g.Members {
		if locale != e.Locale {
			members[locale] = id
		}
	}
	return members
}

// Without returns the members of the group except the entry id.
func (g *Group) Without(id string) map[string]string {
	members := maps.Clone(g.Members)
	maps.DeleteFunc(members, func(_, member string) bool { return member == id })
	return members
}

// Set stores new members of the group g. The commit fails if the group changed after g was read.
func Set(t *db.Tx, m *site.Model, g *Group, members map[string]string) {
	storeMembers(t, m, g, members, "")
}

// Join adds the entry e to the group g. alone says that e was stored without a group when it was
// read; the commit then fails if e has joined a group since.
func Join(t *db.Tx, m *site.Model, g *Group, e *cms.Entry, alone bool) {
	joins := ""
	if alone {
		joins = e.ID
	}
	storeMembers(t, m, g, g.With(e), joins)
}

// storeMembers stores the members of a group. joins is the id of a member that had no group when it was
// read, or "". The commit fails if that member has joined another group since.
func storeMembers(t *db.Tx, m *site.Model, g *Group, members map[string]string, joins string) {
	next := Group{ID: g.ID, Members: members, Shared: g.Shared}
	item := table.Item{Key: groupKey(m.ID, g.ID), Body: db.MustMarshal(next)}
	if len(members) == 0 { // members may come back from the trash
		item.Expires = t.Time.AddDate(0, 0, content.TrashDays+1).Unix()
	}
	t.Save(item, g.version)
	for _, id := range members {
		putMember(t, m, id, item.Body, id == joins)
	}
}

// putMember stores the copy of a group beside a member. With alone set, the commit fails if the
// member has a copy of a group already.
func putMember(t *db.Tx, m *site.Model, id string, body []byte, alone bool) {
	item := table.Item{Key: content.MemberKey(m.ID, id), Body: body}
	if alone {
		t.Create(item, db.ErrOvertaken)
	} else {
		t.Put(item)
	}
}

// ByID reads the row of a group; db.ErrNotFound if there is none.
func ByID(ctx context.Context, s *content.Store, m *site.Model, id string) (*Group, error) {
	item, err := s.Get(ctx, groupKey(m.ID, id))
	if err != nil {
		return nil, err
	}
	return Decode(item)
}

// page reads up to limit groups of a model, from the group id from on. Groups whose entries are all
// in the trash have no members.
func page(ctx context.Context, s *content.Store, modelID, from string, limit int) ([]*Group, error) {
	items, err := s.Table.Query(ctx, table.Range{Partition: groupPartition(modelID), From: from, Limit: limit})
	if err != nil {
		return nil, err
	}
	list := make([]*Group, len(items))
	for i := range items {
		if list[i], err = Decode(&items[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Share records a change of shared values in the group g. The commit fails if the group changed
// after g was read.
func Share(t *db.Tx, m *site.Model, g *Group, by Sharing) {
	body := db.MustMarshal(Group{ID: g.ID, Members: g.Members, Shared: &by})
	t.Replace(table.Item{Key: groupKey(m.ID, g.ID), Version: g.version + 1, Body: body}, g.version)
}

// Require makes the commit fail if the group changed after it was read.
func Require(t *db.Tx, m *site.Model, g *Group) {
	t.Require(groupKey(m.ID, g.ID), g.version)
}

// StayAlone makes the commit fail if the entry has a group.
func StayAlone(t *db.Tx, m *site.Model, id string) {
	t.RequireAbsent(content.MemberKey(m.ID, id), db.ErrOvertaken)
}

// Found creates the group id with two members that have no group yet: target, which is stored, and
// e. saved says that the transaction also saves target; otherwise the commit fails if target
// changed after it was read. alone says that e was stored without a group when it was read. by may
// be nil.
func Found(t *db.Tx, m *site.Model, id string, target, e *cms.Entry, saved, alone bool, by *Sharing) {
	g := Group{ID: id, Shared: by, Members: map[string]string{target.Locale: target.ID, e.Locale: e.ID}}
	body := db.MustMarshal(g)
	if !saved {
		content.RequireUnchanged(t, m, target)
	}
	t.Create(table.Item{Key: groupKey(m.ID, id), Version: 1, Body: body}, db.ErrOvertaken)
	putMember(t, m, target.ID, body, true)
	putMember(t, m, e.ID, body, alone)
}

// Leave removes the copy of the group beside an entry. Call Set with the other members first.
func Leave(t *db.Tx, m *site.Model, id string) { t.Delete(content.MemberKey(m.ID, id)) }

// LeaveForTrash removes an entry from its group. The entry keeps the id of the group, for Rejoin.
func LeaveForTrash(t *db.Tx, s *content.Store, m *site.Model, g *Group, id string) {
	if g.ID == "" {
		StayAlone(t, m, id)
		return
	}
	others := g.Without(id)
	Set(t, m, g, others)
	for other := range maps.Values(others) {
		Follow(t, s, m, other)
		break
	}
	t.Put(table.Item{Key: content.MemberKey(m.ID, id), Body: db.MustMarshal(Group{ID: g.ID})})
}

// Rejoin adds an entry from the trash to its former group. If the group has another entry in that
// locale by now, the entry has no group.
func Rejoin(t *db.Tx, s *content.Store, m *site.Model, g *Group, e *cms.Entry) {
	switch holder := g.Members[e.Locale]; {
	case g.ID == "":
	case holder == "":
		Set(t, m, g, g.With(e))
		Follow(t, s, m, e.ID)
	default:
		t.Delete(content.MemberKey(m.ID, e.ID))
	}
}

// Meets reports whether two groups share a member. Groups read at the same time never do.
func (g *Group) Meets(other *Group) bool {
	for _, id := range g.Members {
		if other.Holds(id) {
			return true
		}
	}
	return false
}

// LocaleOf returns the locale of a member, "" if the entry is not a member.
func (g *Group) LocaleOf(id string) string {
	for locale, member := range g.Members {
		if member == id {
			return locale
		}
	}
	return ""
}

// Holds reports whether an entry is a member of the group.
func (g *Group) Holds(id string) bool {
	return slices.Contains(slices.Collect(maps.Values(g.Members)), id)
}
