package db

import (
	"time"

	"headless/pkg/table"
)

// New opens a database on a table; now is the clock, time.Now outside tests.
func New(t table.Table, now func() time.Time) *DB {
	return &DB{Table: t, Clock: now, ActivityDays: activityDays}
}

// Over returns a database for reads from another table, over which something is laid. It seals and
// opens cursors as s does. expect is called before counters of spaces are read, whose change rows do not say
// in their keys of which spaces they are; nil for nothing.
func (s *DB) Over(t table.Table, expect func(spaces ...string)) *DB {
	over := &DB{Table: t, Clock: s.Clock, ActivityDays: s.ActivityDays, AloneSince: s.AloneSince, sealer: s.sealer,
		expect: expect}
	over.cursors.Store(s.cursors.Load())
	return over
}
