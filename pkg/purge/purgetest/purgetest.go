// Package purgetest is the conformance suite of purge.Purger.
package purgetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"headless/pkg/purge"
)

// Subject is a cache under test.
type Subject struct {
	Purger purge.Purger
	// Store puts an answer with tags into the cache.
	Store func(path string, tags ...string)
	// Cached reports whether an answer is in the cache.
	Cached func(path string) bool
}

// Run checks the contract of the port. open returns an empty cache.
func Run(t *testing.T, open func(t *testing.T) Subject) {
	t.Run("removes what carries a tag, and nothing else", func(t *testing.T) {
		s := open(t)
		s.Store("/delivery/a", "e.1", "k.x")
		s.Store("/delivery/b", "e.2", "k.x")
		s.Store("/delivery/c", "k.y")
		s.purge(t, purge.Batch{ID: "1", Tags: []string{"e.1", "k.y", "e.9"}})
		s.eventually(t, "/delivery/a", false)
		s.eventually(t, "/delivery/c", false)
		s.eventually(t, "/delivery/b", true)
	})
	t.Run("a tag is no prefix of another", func(t *testing.T) {
		s := open(t)
		s.Store("/delivery/a", "m.post")
		s.Store("/delivery/b", "m.posts")
		s.purge(t, purge.Batch{ID: "1", Tags: []string{"m.post"}})
		s.eventually(t, "/delivery/a", false)
		s.eventually(t, "/delivery/b", true)
	})
	t.Run("all", func(t *testing.T) {
		s := open(t)
		s.Store("/delivery/a", "e.1")
		s.Store("/delivery/b")
		s.purge(t, purge.Batch{ID: "1", All: true})
		s.eventually(t, "/delivery/a", false)
		s.eventually(t, "/delivery/b", false)
	})
	t.Run("a repeat does no harm", func(t *testing.T) {
		s := open(t)
		s.Store("/delivery/a", "e.1")
		b := purge.Batch{ID: "1", Tags: []string{"e.1"}}
		s.purge(t, b)
		s.eventually(t, "/delivery/a", false)
		s.purge(t, b)
		s.Store("/delivery/a", "e.1")
		s.purge(t, purge.Batch{ID: "2", Tags: []string{"e.1"}})
		s.eventually(t, "/delivery/a", false)
	})
	t.Run("many tags", func(t *testing.T) {
		s := open(t)
		var tags []string
		for i := range purge.MaxTags {
			tags = append(tags, fmt.Sprint("e.", i))
		}
		s.Store("/delivery/a", tags[purge.MaxTags-1])
		s.purge(t, purge.Batch{ID: "1", Tags: tags})
		s.eventually(t, "/delivery/a", false)
	})
}

// purge purges a batch and retries while the cache is busy.
func (s Subject) purge(t *testing.T, b purge.Batch) {
	t.Helper()
	for {
		left, err := s.Purger.Purge(t.Context(), b)
		if err == nil {
			return
		}
		if !errors.Is(err, purge.ErrBusy) {
			t.Fatal(err)
		}
		b = left
		time.Sleep(10 * time.Millisecond)
	}
}

func (s Subject) eventually(t *testing.T, path string, want bool) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); s.Cached(path) != want; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: cached %t, want %t", path, !want, want)
		}
	}
}
