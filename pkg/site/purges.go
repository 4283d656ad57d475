package site

import (
	"context"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// Purges are requests to remove responses from caches (extensions §8).
type Purges struct{ Store *Store }

const (
	maxPurgeTags = 1000 // in one request
	maxTag       = 256  // characters of a tag
	// maxPurgesListed is how many pending purges are shown.
	maxPurgesListed = 1000
)

// purgeInput is the body of a request to purge.
type purgeInput struct {
	Tags []string `json:"tags"`
	All  bool     `json:"all"`
}

// Request asks caches to remove all responses, or those with some tags.
func (s *Purges) Request(ctx context.Context, actor cms.Actor, body map[string]any) (db.Purge, error) {
	in, p := input.Decode[purgeInput](body)
	switch {
	case len(p) > 0:
	case len(in.Tags) == 0 && !in.All:
		p.Add("tags", "is required, unless all is true")
	case len(in.Tags) > maxPurgeTags:
		p.Add("tags", "must hold at most %d tags", maxPurgeTags)
	}
	for i, tag := range in.Tags {
		if tag == "" || len(tag) > maxTag || strings.Trim(tag, tagLetters) != "" {
			p.Add("tags."+strconv.Itoa(i), "must be a tag such as settings, e.<id> or l.<model>.<locale>")
		}
	}
	if err := p.Err(); err != nil {
		return db.Purge{}, err
	}
	tx := s.Store.Begin()
	what := "all answers"
	tx.AskPurge()
	if tx.Touch(in.Tags...); in.All {
		tx.TouchAll()
	} else {
		what = cms.ShortList(in.Tags)
	}
	tx.Activity(actor, "cache.purged", "cache "+what)
	err := s.Store.Commit(ctx, tx)
	return tx.Purge(), err
}

// tagLetters are the characters of tags.
const tagLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"

// Pending lists the purges that no cache has processed yet, the oldest first, and what was sent in
// this month.
func (s *Purges) Pending(ctx context.Context, p db.Paging) (page db.Page[db.Purge], month db.PurgeMonth, err error) {
	list, err := s.Store.Purges(ctx, maxPurgesListed)
	if err != nil {
		return page, month, err
	}
	state, err := s.Store.PurgeState(ctx)
	return db.PageOf(list, p), state.MonthAt(s.Store.Now()), err
}
