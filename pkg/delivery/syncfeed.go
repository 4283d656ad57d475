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
	// maxUnsettled is how many lines behind the settled position a token remembers; with more it
	// settles earlier.
	maxUnsettled = 4000
	// maxSkipped is how many lines outside the scope are read in vain before the token moves on
	// without a change to show.
	maxSkipped = 1000
	feedReads  = 16 // at a time
)

// feedRow is a line of a feed with its model.
type feedRow struct {
	db.Change
	model syncModel
}

// feeds adds what changed since the position that was read last, in order. Skipped reports that the
// position should move on although nothing is shown.
func (s *syncing) feeds() (complete, skipped bool, err error) {
	settled, read := unhex(s.state.Settled), unhex(s.state.Read)
	rows, more, err := s.readFeeds(settled, s.state.Count+2*maxSkipped)
	if err != nil {
		return false, false, err
	}
	from, _ := slices.BinarySearchFunc(rows, read,
		func(r feedRow, p string) int { return cmp.Compare(r.Pos, p+"\x00") })
	if from != s.state.Count {
		from = 0 // a line appeared between: show what is not settled once more
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
	s.state.settle(rows[:to], settled, db.FeedPos(s.h.Keys.Now().Add(-db.FeedSettled)))
	return complete, skipped, nil
}

// settle sets the positions after the last of some rows, which begin at the settled position.
func (s *syncState) settle(rows []feedRow, settled, limit string) {
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

// readFeeds reads the feeds of all models of the state from a position on, merged in order; more
// reports that there are further lines.
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
	end := "" // up to which every feed was read
	for i, part := range parts {
		if len(part) == limit && (end == "" || part[limit-1].Pos < end) {
			end = part[limit-1].Pos
		}
		for _, c := range part {
			rows = append(rows, feedRow{c, feeds[i]})
		}
	}
	slices.SortFunc(rows, func(a, b feedRow) int { return cmp.Compare(a.Pos, b.Pos) })
	if end != "" {
		rows = slices.DeleteFunc(rows, func(r feedRow) bool { return r.Pos > end })
	}
	return rows, end != "", nil
}

// show adds what some lines are about, as it is now, each once.
func (s *syncing) show(rows []feedRow) error {
	once := map[string]bool{}
	var refs []content.Reference
	var of []feedRow
	for _, r := range rows {
		if once[r.ID] {
			continue
		}
		once[r.ID] = true
		m := s.open.Site.ModelByID(r.model.ID)
		switch {
		case r.Folder: // its files show another name
			s.state.Walks = append(s.state.Walks, syncWalk{Model: db.FeedMedia, Folder: r.ID})
		case r.model.ID == db.FeedMedia:
			if err := s.file(r.ID); err != nil {
				return err
			}
		case m == nil || !slices.ContainsFunc(s.state.Models, func(n syncModel) bool { return n.ID == m.ID }):
			s.gone(r.ID, r.model.Slug, &r.Locale)
		default:
			refs, of = append(refs, content.Reference{Model: m, ID: r.ID}), append(of, r)
		}
	}
	entries, err := s.h.Entries.Store.EntriesByID(s.ctx, refs)
	if err != nil {
		return err
	}
	for i, e := range entries {
		if err := s.showEntry(refs[i].Model, of[i], e); err != nil {
			return err
		}
	}
	return nil
}

// showEntry adds an entry, or that it left the scope; one that was never in it is left out.
func (s *syncing) showEntry(m *site.Model, row feedRow, e *cms.Entry) error {
	if e != nil && e.Status == cms.StatusPublished && slices.Contains(s.state.Locales, e.Locale) {
		raw, err := cms.Marshal(e)
		if err != nil {
			return err
		}
		return s.upsert(s.ctx, m, content.EntryItem{JSON: raw, Entry: e}, e.ID)
	}
	if slices.Contains(s.state.Locales, row.Locale) {
		s.gone(row.ID, m.Slug, &row.Locale)
	}
	return nil
}
