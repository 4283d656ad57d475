// Package recheck makes changes name the entries that package health checks again (extensions §16).
//
// A change adds a timer to its own transaction. So the problems that a change may cause are found after it,
// even if a process fails in between. A reference names one of these:
//
//	e/<model id>/<entry id>         an entry
//	v/<model id>/<entry id>         an entry that begins or ends to exist or to be public, and those that refer to it
//	g/<model id>/<entry ids>        entries and their translations
//	t/<entry ids>                   entries that gained or lost a reference
//	x/<target>/<holder>             entries that refer to an entry or file, from a holder on
//	m/<slug>                        a menu
//	w/<model id>/<entry id>         all entries of a model, from an id on
//	s/<model id>                    all entries of the site, from a model on
//
// Where two timers of one reference must not merge, it ends in # and a random number.
package recheck

import (
	"cmp"
	"math/rand/v2"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
)

// Kind is the kind of the timers.
const Kind = "health"

// Space is the collection of the counters of findings.
const Space = "health"

// Add adds a timer for a reference.
func Add(t *db.Tx, ref string) {
	t.SetTimer(db.Timer{At: t.At(), Kind: Kind, Ref: Unique(ref)})
}

// Unique returns a reference that no other timer has.
func Unique(ref string) string { return ref + "#" + strconv.FormatUint(uint64(rand.Uint32()), 36) }

// How much of an entry readers see.
const (
	gone = iota // there is no entry
	hidden
	public
)

func seenLocale(e *cms.Entry) int {
	switch {
	case e == nil:
		return gone
	case e.Status == cms.StatusPublished:
		return public
	}
	return hidden
}

// Changed is for a change of an entry from was to now; either is nil if there is no entry. isNew says
// that nothing can refer to the entry yet: then a draft concerns nothing.
func Changed(t *db.Tx, modelID string, was, now *cms.Entry, isNew bool) {
	switch e := cmp.Or(now, was); {
	case !isNew && (seenLocale(was) != seenLocale(now) || was != nil && was.Locale != e.Locale):
		Add(t, "v/"+modelID+"/"+e.ID)
	case seenLocale(now) == public:
		Entry(t, modelID, e.ID)
	}
}

// Entry is for a change of the content of a public entry.
func Entry(t *db.Tx, modelID, id string) { Add(t, "e/"+modelID+"/"+id) }

// Group is for a change of the translations of entries.
func Group(t *db.Tx, modelID string, ids ...string) { Add(t, "g/"+modelID+"/"+strings.Join(ids, ",")) }

// Targets is for entries that gained or lost a reference.
func Targets(t *db.Tx, ids ...string) { Add(t, "t/"+strings.Join(ids, ",")) }

// File is for a change of a file that concerns the entries that use it.
func File(t *db.Tx, id string) { Add(t, "x/"+id+"/") }

// Menu is for a change of a menu.
func Menu(t *db.Tx, slug string) { Add(t, "m/"+slug) }

// Model is for a change of a model that concerns all its entries.
func Model(t *db.Tx, id string) { Add(t, "w/"+id+"/") }

// Site is for a change of the locales.
func Site(t *db.Tx) { Add(t, "s/") }
