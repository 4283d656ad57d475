package db

import (
	"context"
	"encoding/json"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// MaxPurgesDone is how many purges one AdvancePurges can remove.
const MaxPurgesDone = 90

// PurgeState is what has been sent to the caches: one item, which a purger replaces before and
// after it sends something. So two purgers never send the same, and a crash in between only repeats
// a batch under its former id, which caches recognize.
type PurgeState struct {
	// Until is the end of the lease of the purger that is working.
	Until cms.Time `json:"until,omitzero"`
	// Open says that the caches are up to date for the publishable keys. It is false while there is
	// no valid key, since nothing is sent then.
	Open bool `json:"open"`
	// Sent lists what was sent or changed within the last minute.
	Sent []PurgesSent `json:"sent,omitempty"`
	// AllAt and FilesAt are when all answers and all files were last removed.
	AllAt   cms.Time `json:"all_at,omitzero"`
	FilesAt cms.Time `json:"files_at,omitzero"`
	// Pending is a batch that was taken from the rows and may not have been accepted.
	Pending *PurgeBatch `json:"pending,omitempty"`
	// Month counts what was sent in a month, such as 2026-11, in UTC.
	Month PurgeMonth `json:"month"`

	version int64
}

// PurgesSent is how many tags and files were sent at a time.
type PurgesSent struct {
	At    cms.Time `json:"at"`
	Tags  int      `json:"tags"`
	Files int      `json:"files"`
	// Covered is how many tags changed that were not sent, since everything was removed.
	Covered int `json:"covered,omitempty"`
}

// PurgeMonth counts the paid items of a month (extensions §8).
type PurgeMonth struct {
	Name  string `json:"-"`
	Tags  int    `json:"tags"`
	Paths int    `json:"paths"`
}

// PurgeBatch is a batch for a cache.
type PurgeBatch struct {
	ID       string   `json:"id"`
	Tags     []string `json:"tags,omitempty"`
	All      bool     `json:"all,omitempty"`
	Files    []string `json:"files,omitempty"`
	AllFiles bool     `json:"all_files,omitempty"`
	// Since is the time of the oldest change that the batch covers.
	Since cms.Time `json:"since"`
}

// Empty reports whether a batch names nothing.
func (b *PurgeBatch) Empty() bool {
	return len(b.Tags) == 0 && !b.All && len(b.Files) == 0 && !b.AllFiles
}

// storedPurgeState adds the name of the month, which answers do not show.
type storedPurgeState struct {
	PurgeState
	MonthName string `json:"month_name"`
}

var purgeStateKey = table.Key{Partition: "PURGED", Sort: "s"}

// PurgeState reads the state; that of a table without one is empty.
func (s *DB) PurgeState(ctx context.Context) (PurgeState, error) {
	items, err := s.Table.Get(ctx, table.Strong, purgeStateKey)
	if err != nil || items[0] == nil {
		return PurgeState{}, err
	}
	var stored storedPurgeState
	err = json.Unmarshal(items[0].Body, &stored)
	stored.version, stored.Month.Name = items[0].Version, stored.MonthName
	return stored.PurgeState, err
}

// AdvancePurges replaces the state that was read, and removes purges, at most MaxPurgesDone, in one
// transaction. ok is false if another purger replaced the state since.
func (s *DB) AdvancePurges(ctx context.Context, state PurgeState, done ...Purge) (next PurgeState,
	ok bool, err error) {
	next = state
	next.version++
	ops := []table.Op{table.PutNext(table.Item{Key: purgeStateKey,
		Body: MustMarshal(storedPurgeState{state, state.Month.Name})}, state.version)}
	for _, p := range done {
		ops = append(ops, table.Op{Kind: table.Delete, Item: table.Item{Key: p.key}})
	}
	ok, err = table.TryWrite(ctx, s.Table, ops...)
	return next, ok, err
}

// MonthAt returns the counts of the month of a time.
func (s *PurgeState) MonthAt(now cms.Time) PurgeMonth {
	if name := now.UTC().Format("2006-01"); s.Month.Name != name {
		return PurgeMonth{Name: name}
	}
	return s.Month
}
