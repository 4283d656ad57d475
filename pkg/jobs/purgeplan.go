package jobs

import (
	"slices"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/purge"
	"headless/pkg/slice"
)

// The limits of extensions §8, What a purge costs.
const (
	// purgeDelay is how long after its change a purge leaves. An answer that was computed before the
	// change and takes less than that to arrive is removed by the purge; see delivery.freshness for
	// the others.
	purgeDelay = 2 * time.Second
	// purgeBundle is how much longer the oldest purge waits, so that those of the next moment leave with
	// it: a tag that many changes touch is paid once.
	purgeBundle = time.Second
	// purgeTags is how many tags, and how many files, leave within purgeSpan. Beyond that, all
	// answers or files are removed together.
	purgeTags = 100
	purgeSpan = time.Minute
	// purgeAllEvery is the shortest time between two removals of everything.
	purgeAllEvery = 30 * time.Second
)

// planPurge plans the next batch of the oldest rows. next is the state with the batch, counted as
// sent, and done are the rows that it covers. Rows that no cache needs to know are done without a
// batch. pause is how long to wait for the rows that remain, less than zero if there are none.
func planPurge(state db.PurgeState, rows []db.Purge, published bool, now cms.Time) (next db.PurgeState,
	done []db.Purge, pause time.Duration) {
	p := purgePlan{now: now, published: published, next: state}
	p.next.Sent = slices.DeleteFunc(slices.Clone(state.Sent), func(s db.PurgesSent) bool {
		return now.Sub(s.At.Time) >= purgeSpan
	})
	for _, s := range p.next.Sent {
		p.tagsChanged += s.Tags + s.Covered
		p.filesSent += s.Files
	}
	p.opening = published && !state.Open
	p.next.Open = published
	pause = -1
	if len(rows) > 0 {
		if wait := rows[0].CreatedAt.Add(purgeDelay + purgeBundle).Sub(now.Time); wait > 0 {
			return p.next, nil, wait
		}
	}
	for i := range rows {
		if wait := p.addRow(&rows[i]); wait > 0 {
			pause = wait
			break // the rows that follow wait too
		}
		if done = append(done, rows[i]); len(done) == db.MaxPurgesDone {
			break
		}
	}
	p.finishBatch()
	return p.next, done, pause
}

type purgePlan struct {
	now                cms.Time
	next               db.PurgeState
	batch              db.PurgeBatch
	published, opening bool
	// Within the last minute: the tags that were sent or that a removal of everything covered, and the
	// files that were sent.
	tagsChanged, filesSent int
	covered                []string // tags of this batch that a removal of everything covers
}

// addRow adds a row to the batch. If the row must wait, it returns how long, and adds nothing.
func (p *purgePlan) addRow(row *db.Purge) (wait time.Duration) {
	if due := row.CreatedAt.Add(purgeDelay); p.now.Before(due) {
		return due.Sub(p.now.Time)
	}
	tags, files := p.tagsOf(row), filesOf(row)
	all, allFiles := row.All && (row.Asked || p.published), row.All && row.Asked
	if p.opening {
		all, p.opening = true, false
	}
	// A row that everything was removed for since it was due is done.
	var covered []string
	if done := !p.next.AllAt.Before(row.CreatedAt.Add(purgeDelay)); done || p.batch.All {
		covered, tags, all = tags, nil, false
	}
	if done := !p.next.FilesAt.Before(row.CreatedAt.Add(purgeDelay)); done || p.batch.AllFiles {
		files, allFiles = nil, false
	}
	tags = slice.Distinct(slice.Without(tags, p.batch.Tags))
	files = slice.Distinct(slice.Without(files, p.batch.Files))
	// The tags that were covered count too, so that a long burst does not send 100 tags each minute
	// beside the removals of everything.
	all = all || len(tags) > 0 && p.tagsChanged+len(p.covered)+len(p.batch.Tags)+len(tags) > purgeTags
	allFiles = allFiles || len(files) > purge.MaxFiles || len(files) > 0 &&
		p.filesSent+len(p.batch.Files)+len(files) > purgeTags
	if all {
		wait = max(wait, p.next.AllAt.Add(purgeAllEvery).Sub(p.now.Time))
	}
	if allFiles {
		wait = max(wait, p.next.FilesAt.Add(purgeAllEvery).Sub(p.now.Time))
	}
	if !allFiles && len(p.batch.Files)+len(files) > purge.MaxFiles {
		wait = max(wait, time.Millisecond) // the next batch takes it
	}
	if wait > 0 {
		return wait
	}
	p.batch.Since = earlier(p.batch.Since, row.CreatedAt)
	p.cover(covered)
	if all {
		p.cover(p.batch.Tags)
		p.cover(tags)
		p.batch.All, p.batch.Tags = true, nil
	} else {
		p.batch.Tags = append(p.batch.Tags, tags...)
	}
	if allFiles {
		p.batch.AllFiles, p.batch.Files = true, nil
	} else {
		p.batch.Files = append(p.batch.Files, files...)
	}
	return 0
}

// cover notes tags that a removal of everything covers, each once.
func (p *purgePlan) cover(tags []string) {
	p.covered = append(p.covered, slice.Distinct(slice.Without(tags, p.covered))...)
}

// tagsOf returns the tags of a row that are sent. While no publishable key is valid, these are the
// tags of a key that ended, and those that a user asked for.
func (p *purgePlan) tagsOf(row *db.Purge) []string {
	return slice.Filter(row.Tags, func(tag string) bool {
		return p.published || row.Asked || strings.HasPrefix(tag, cms.TagKey(""))
	})
}

// filesOf returns the files of a row, those that a user named by their tags too.
func filesOf(row *db.Purge) []string {
	files := slices.Clone(row.Files)
	for _, tag := range row.Tags {
		if id, ok := strings.CutPrefix(tag, cms.TagFile("")); ok && row.Asked {
			files = append(files, id)
		}
	}
	return files
}

// finishBatch counts the batch as sent.
func (p *purgePlan) finishBatch() {
	if len(p.covered) > 0 {
		p.noteSent(db.PurgesSent{At: p.now, Covered: len(p.covered)})
	}
	if p.batch.Empty() {
		return
	}
	slices.Sort(p.batch.Tags)
	b := p.batch
	sent := purge.Batch{Tags: b.Tags, All: b.All, Files: b.Files, AllFiles: b.AllFiles}
	p.next.Pending = &b
	p.noteSent(db.PurgesSent{At: p.now, Tags: len(b.Tags), Files: len(b.Files)})
	if b.All {
		p.next.AllAt = p.now
	}
	if b.AllFiles {
		p.next.FilesAt = p.now
	}
	p.next.Month = p.next.MonthAt(p.now)
	p.next.Month.Tags += len(b.Tags)
	p.next.Month.Paths += sent.Paths()
}

// noteSent adds what was sent or covered. Tags that were covered within a second are one entry, since a
// burst takes many batches.
func (p *purgePlan) noteSent(s db.PurgesSent) {
	if n := len(p.next.Sent); n > 0 && s.Tags+s.Files == 0 {
		if last := &p.next.Sent[n-1]; last.Tags+last.Files == 0 && s.At.Sub(last.At.Time) < time.Second {
			last.Covered += s.Covered
			return
		}
	}
	p.next.Sent = append(p.next.Sent, s)
}
