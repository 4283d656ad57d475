package db

import (
	"time"

	"headless/pkg/table"
)

// New opens a database on a table; now is the clock, time.Now outside tests.
func New(t table.Table, now func() time.Time) *DB {
	return &DB{Table: t, Clock: now, ActivityDays: activityDays}
}
