package urls

import (
	"context"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/content/tree"
	"headless/pkg/db"
	"headless/pkg/site"
)

// Moves raises the events about entries whose addresses changed (extensions §13).
type Moves struct{ Store *content.Store }

// Move is a published entry that has another address. From and To are paths below site.url.
type Move struct {
	ID     string `json:"id"`
	Locale string `json:"locale"`
	From   string `json:"from"`
	To     string `json:"to"`
}

const (
	maxMoves     = 1_000   // of an event
	maxMoveBytes = 60_000  // of an event, less than a delivery holds
	maxMovedTree = 100_000 // entries of a tree that are looked at
)

// Work raises the events for a change of an entry, from its address before to the present one, and for the entries
// below it. It is the handler of timers of the kind redirects.KindMove. After a crash it may raise events again.
func (s Moves) Work(ctx context.Context, ref string) (nextRun cms.Time, err error) {
	part := strings.Split(ref, "/")
	if len(part) != 3 {
		return nextRun, nil
	}
	version, err := strconv.ParseInt(part[2], 10, 64)
	if err != nil {
		return nextRun, nil
	}
	now, err := s.Store.Site(ctx)
	if err != nil {
		return nextRun, err
	}
	m := now.ModelByID(part[0])
	if m == nil || m.URL == "" || !m.IsActive {
		return nextRun, nil
	}
	moves, err := s.moves(ctx, now, m, part[1], version)
	for err == nil && len(moves) > 0 {
		n := firstEvent(moves)
		tx := s.Store.Begin()
		tx.Event(cms.Actor{}, cms.EventPathsUpdated, "", struct {
			Model string `json:"model"`
			Moves []Move `json:"moves"`
		}{m.Slug, moves[:n]})
		moves, err = moves[n:], s.Store.Commit(ctx, tx)
	}
	return nextRun, err
}

// firstEvent returns how many moves the first event holds.
func firstEvent(moves []Move) (n int) {
	for bytes := 0; n < min(len(moves), maxMoves); n++ {
		if bytes += len(db.MustMarshal(moves[n])) + 1; bytes > maxMoveBytes && n > 0 {
			return n
		}
	}
	return n
}

// moves lists the published entries whose addresses a change of an entry moved, each after the one above it.
func (s Moves) moves(ctx context.Context, now *site.Site, m *site.Model, id string,
	version int64) (list []Move, err error) {
	was, err := s.Store.Revision(ctx, m, id, version)
	if err != nil {
		return nil, db.Missing(err, nil)
	}
	known := content.Above{}
	if err := s.Store.AddAbove(ctx, known, id, was.ParentID()); err != nil {
		return nil, err
	}
	is, above := known[id], was.ParentID()
	for at := above; at != "" && known[at].ModelID == ""; at = known[at].Parent { // deleted after the entry left it
		deleted, err := s.Store.FromTrash(ctx, now, at)
		if err != nil || deleted.ModelID != m.ID {
			return nil, db.Missing(err, nil)
		}
		known[at] = tree.AddressOf(m, deleted.Entry)
		if err := s.Store.AddAbove(ctx, known); err != nil {
			return nil, err
		}
	}
	if is.ModelID != m.ID {
		return nil, nil // it is gone
	}
	before, after := was.Place(), known.Of(id).Place(id)
	if before.Above = nil; above != "" {
		before.Above = known.Slugs(append(known.Chain(above), above))
	}
	add := func(from, to cms.Place) {
		a, b := pathAt(now, m, from), pathAt(now, m, to)
		if a != "" && b != "" && a != b {
			list = append(list, Move{to.ID, to.Locale, a, b})
		}
	}
	if was.Status == cms.StatusPublished && is.Status == cms.StatusPublished {
		add(before, after)
	}
	fence, err := s.Store.ReadFence(ctx, id)
	if err != nil || !m.HasPath() || !fence.HadBelow() {
		return list, err
	}
	return list, s.addBelow(ctx, m, before, after, add)
}

// addBelow calls add for each published entry below a moved one.
func (s Moves) addBelow(ctx context.Context, m *site.Model, before, after cms.Place,
	add func(from, to cms.Place)) error {
	nodes, err := s.Store.TreePlaces(ctx, m, after.Locale, maxMovedTree)
	if err != nil {
		return err
	}
	type way struct{ from, to []string } // slugs from the root
	under := func(p cms.Place) []string { return append(p.Above[:len(p.Above):len(p.Above)], p.Slug) }
	ways := map[string]way{after.ID: {under(before), under(after)}}
	for _, n := range nodes {
		above, ok := ways[n.Parent]
		if !ok || n.ID == after.ID {
			continue
		}
		from, to := n.Place, n.Place
		from.Above, to.Above = above.from, above.to
		if n.Public {
			add(from, to)
		}
		ways[n.ID] = way{under(from), under(to)}
	}
	return nil
}

// pathAt returns the path below site.url of a place, or the whole address if it is elsewhere.
func pathAt(now *site.Site, m *site.Model, p cms.Place) string {
	address := m.PathOf(p)
	if path, ok := onSite(now, address); ok {
		return path
	}
	return address
}
