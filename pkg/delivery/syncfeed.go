package delivery

import (
	"cmp"
	"encoding/hex"
	"slices"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/site"
)

const (
	// maxUnsettled is the maximum number of rows after the settled position; with more, rows settle
	// earlier.
	maxUnsettled = 4000
	// maxSkipped is how many rows outside the scope are read before the page is returned without a
	// change, with a token that continues after them.
	maxSkipped = 1000
	feedReads  = 16 // concurrent reads
)

// feedRow is a row of a feed with its model.
type feedRow struct {
	db.Change
	model syncModel
}

// feeds adds the changes after the last read position, in order. complete reports whether there are
// no more. skipped reports whether the token must advance although the page has no changes.
func (s *syncing) feeds() (complete, skipped bool, err error) {
	settled, read := unhex(s.state.Settled), unhex(s.state.Read)
	rows, more, err := s.readFeeds(settled, s.state.Count+2*maxSkipped)
	if err != nil {
		return false, false, err
	}
	from, _ := slices.BinarySearchFunc(rows, read,
		func(r feedRow, p string) int { return cmp.Compare(r.Pos, p+"\x00") })
	if from != s.state.Count {
		from = 0 // a row appeared in between: show all unsettled rows again
	}
	to, shown := from, 0
	for to < len(rows) && len(s.ops) < s.room && to-from < maxSkipped {
		end := min(to+s.room-len(s.ops), len(rows))
		n := len(s.ops)
		if err := s.show(rows[to:end]); err != nil {
			return false, false, err
		}
		shown += len(s.ops) - n
		to = end
	}
	complete = to == len(rows) && !more && len(s.state.Walks) == 0
	skipped = shown == 0 && to-from >= maxSkipped || complete && len(s.state.Left) > 0
	if complete {
		s.state.Left = nil
	}
	s.state.updatePositions(rows[:to], settled, db.FeedPos(s.h.Keys.Now().Add(-db.FeedSettled)))
	return complete, skipped, nil
}

// updatePositions updates the positions after rows were read. The rows follow the settled position; those
// before limit become settled.
func (s *syncState) updatePositions(rows []feedRow, settled, limit string) {
	if len(rows) == 0 {
		return
	}
	n := 0
	for n < len(rows) && (rows[n].Pos < limit || len(rows)-n > maxUnsettled) {
		settled = rows[n].Pos
		n++
	}
	s.Settled, s.Count = hex.EncodeToString([]byte(settled)), len(rows)-n
	s.Read = hex.EncodeToString([]byte(rows[len(rows)-1].Pos))
}

// readFeeds reads the feeds of all models of the state after a position, merged in order; more
// reports whether there are further rows.
func (s *syncing) readFeeds(after string, limit int) (rows []feedRow, more bool, err error) {
	feeds := append(slices.Clone(s.state.Models), s.state.Left...)
	parts := make([][]db.Change, len(feeds))
	g, ctx := errgroup.WithContext(s.ctx)
	g.SetLimit(feedReads)
	for i, m := range feeds {
		g.Go(func() (err error) {
			parts[i], err = s.h.Keys.Feed(ctx, m.ID, after, limit)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, false, err
	}
	end := "" // position up to which every feed was read
	for i, part := range parts {
		if len(part) == limit && (end == "" || part[limit-1].Pos < end) {
			end = part[limit-1].Pos
		}
		for _, c := range part {
			rows = append(rows, feedRow{c, feeds[i]})
		}
	}
	cms.Sort(rows, func(a, b feedRow) int { return cmp.Compare(a.Pos, b.Pos) })
	if end != "" {
		rows = slices.DeleteFunc(rows, func(r feedRow) bool { return r.Pos > end })
	}
	return rows, end != "", nil
}

// show adds the current state of the entries and files in some rows, each once.
func (s *syncing) show(rows []feedRow) error {
	seen := map[string]bool{}
	var refs []content.Reference
	var entryRows []feedRow
	for _, r := range rows {
		if seen[r.ID] {
			continue
		}
		seen[r.ID] = true
		m := s.open.Site.ModelByID(r.model.ID)
		switch {
		case r.Folder: // a folder was renamed, so its files changed
			s.state.Walks = append(s.state.Walks, syncWalk{Model: db.FeedMedia, Folder: r.ID})
		case r.model.ID == db.FeedMedia:
			if err := s.file(r.ID); err != nil {
				return err
			}
		case m == nil || !slices.ContainsFunc(s.state.Models, func(n syncModel) bool { return n.ID == m.ID }):
			if slices.Contains(r.model.Had, r.Locale) {
				s.addDeletion(r.ID, r.model.Slug, &r.Locale)
			}
		default:
			refs = append(refs, content.Reference{Model: m, ID: r.ID})
			entryRows = append(entryRows, r)
		}
	}
	entries, err := s.h.Entries.Store.EntriesByID(s.ctx, refs)
	if err != nil {
		return err
	}
	for i, e := range entries {
		if err := s.showEntry(refs[i].Model, entryRows[i], e); err != nil {
			return err
		}
	}
	return nil
}

// showEntry adds an entry, or its deletion if it left the scope. An entry that was never in the
// scope is left out.
func (s *syncing) showEntry(m *site.Model, row feedRow, e *cms.Entry) error {
	locales := s.state.Locales
	if !m.Localized {
		locales = s.state.Plain
	}
	if e != nil && e.Status == cms.StatusPublished && slices.Contains(locales, e.Locale) {
		raw, err := cms.Marshal(e)
		if err != nil {
			return err
		}
		return s.upsert(s.ctx, m, content.EntryItem{JSON: raw, Entry: e}, e.ID)
	}
	if slices.Contains(locales, row.Locale) {
		s.addDeletion(row.ID, m.Slug, &row.Locale)
	}
	return nil
}
