package health

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/index/totals"
	"headless/pkg/recheck"
	"headless/pkg/table"
)

// Kind is a kind of finding.
type Kind string

// The kinds of findings.
const (
	LinkGone            Kind = "link.gone"
	LinkUnpublished     Kind = "link.unpublished"
	AltMissing          Kind = "alt.missing"
	SEOTitle            Kind = "seo.title"
	SEODescription      Kind = "seo.description"
	TranslationMissing  Kind = "translation.missing"
	TranslationOutdated Kind = "translation.outdated"
	Stale               Kind = "stale"
	Orphan              Kind = "orphan"
)

// Kinds lists the kinds of findings.
var Kinds = []Kind{LinkGone, LinkUnpublished, AltMissing, SEOTitle, SEODescription, TranslationMissing,
	TranslationOutdated, Stale, Orphan}

// Words names the kind for people.
func (k Kind) Words() string {
	return map[Kind]string{LinkGone: "Broken link", LinkUnpublished: "Link to what is not published",
		AltMissing: "Missing alternative text", SEOTitle: "Title for search engines",
		SEODescription: "Description for search engines", TranslationMissing: "Missing translation",
		TranslationOutdated: "Outdated translation", Stale: "Not looked after", Orphan: "Nothing leads here"}[k]
}

// Found is a stored finding of an entry.
type Found struct {
	Kind    Kind     `json:"k"`
	Field   string   `json:"f,omitempty"`
	Detail  string   `json:"d,omitempty"`
	Locale  string   `json:"l"` // of the entry
	Since   cms.Time `json:"s"`
	Ignored *By      `json:"i,omitempty"` // nil: it is not ignored
	Gen     int      `json:"g,omitempty"` // of the model whose names Field has
}

// By is who ignores a finding, by account id, and since when.
type By struct {
	User string   `json:"u"`
	At   cms.Time `json:"a"`
}

// ignore keeps a finding of a place away while the value there is the same.
type ignore struct {
	Kind  Kind   `json:"k"`
	Field string `json:"f,omitempty"`
	Value string `json:"v"` // its hash
	By    By     `json:"b"`
	Gen   int    `json:"g,omitempty"` // of the model whose names Field has
}

// state lists the rows that were written for an entry or a menu.
type state struct {
	// Hidden is set for a published entry that readers do not see, because its model or locale is not
	// active. A change of these finds it by its state.
	Hidden  bool     `json:"h,omitempty"`
	Public  bool     `json:"p,omitempty"`
	Rows    []string `json:"r,omitempty"` // partitions of its references and texts, sorted
	Left    []string `json:"l,omitempty"` // partitions of texts that it gave up and whose entries are not told
	Due     cms.Time `json:"d,omitzero"`  // of the timer for Stale
	Found   []Found  `json:"f,omitempty"`
	Ignored []ignore `json:"i,omitempty"`

	version int64
	read    []byte // as stored, nil if it is not
}

func decodeState(item *table.Item) (s state, err error) {
	if item == nil {
		return s, nil
	}
	err = db.Unmarshal(item.Body, &s)
	s.version, s.read = item.Version, db.MustMarshal(s)
	return s, err
}

func (c Checks) readState(ctx context.Context, modelID, id string) (s state, err error) {
	items, err := c.Store.Table.Get(ctx, table.Strong, stateKey(modelID, id))
	if err != nil {
		return s, err
	}
	return decodeState(items[0])
}

// putIn stores the state, unless it is the one that was read and the transaction is empty. The commit fails if
// another check has changed it. A state that says nothing is removed; expires is for one of which only ignores are
// left.
func (s *state) putIn(t *db.Tx, key table.Key, expires int64) (changed bool) {
	now := db.MustMarshal(s)
	empty := !s.Public && !s.Hidden && len(s.Rows)+len(s.Left)+len(s.Found)+len(s.Ignored) == 0
	item := table.Item{Key: key, Body: db.PackBytes(now), Expires: expires}
	switch {
	case empty && s.version == 0, bytes.Equal(now, s.read) && len(t.Ops) == 0:
		return false
	case empty:
		t.Remove(key, s.version)
	default:
		t.Save(item, s.version)
	}
	return true
}

// together is how many rows one transaction of a check adds and removes.
const together = 20

// moveRows adds and removes rows of references and texts until they are wanted, which is sorted. It
// reports whether it changed any: then the check goes on in another transaction.
func (s *state) moveRows(t *db.Tx, modelID, id string, wanted []string) (changed bool) {
	var targets []string
	moved := 0
	move := func(partition string, op func(table.Key)) {
		op(holderKey(partition, modelID, id))
		if moved++; strings.HasPrefix(partition, refPrefix) {
			targets = append(targets, partition[len(refPrefix):])
		}
	}
	for _, p := range slices.Clone(s.Rows) {
		if moved < together && !containsSorted(wanted, p) {
			move(p, t.Delete)
			s.Rows = slices.DeleteFunc(s.Rows, func(row string) bool { return row == p })
			if strings.HasPrefix(p, textPrefix) && !slices.Contains(s.Left, p) {
				s.Left = append(s.Left, p)
			}
		}
	}
	for _, p := range wanted {
		if moved < together && !containsSorted(s.Rows, p) {
			move(p, func(key table.Key) { t.Put(table.Item{Key: key}) })
			s.Rows = append(s.Rows, p)
			slices.Sort(s.Rows)
		}
	}
	if len(targets) > 0 {
		recheck.Targets(t, targets...)
	}
	return moved > 0
}

func containsSorted(sorted []string, text string) bool {
	_, found := slices.BinarySearch(sorted, text)
	return found
}

// moveFindings adds and removes findings until they are those of now. It reports whether some are left
// for another transaction.
func (s *state) moveFindings(t *db.Tx, modelID, id string, now []Found) (more bool) {
	moved := 0
	for _, f := range slices.Clone(s.Found) {
		if slices.ContainsFunc(now, f.equal) {
			continue
		}
		if moved++; moved > together {
			return true
		}
		if key := findingKey(modelID, id, &f); !slices.ContainsFunc(now,
			func(n Found) bool { return findingKey(modelID, id, &n) == key }) {
			t.Delete(key) // else it is written anew
		}
		totals.Count(t, counterOf(modelID, &f), -1)
		s.Found = slices.DeleteFunc(s.Found, f.equal)
	}
	for i := range now {
		f := &now[i]
		if known := slices.IndexFunc(s.Found, f.equal); known >= 0 {
			s.Found[known].Gen = f.Gen
			continue
		}
		if moved++; moved > together {
			return true
		}
		t.Put(table.Item{Key: findingKey(modelID, id, f), Body: db.MustMarshal(row{ID: id, Found: *f})})
		totals.Count(t, counterOf(modelID, f), 1)
		s.Found = append(s.Found, *f)
	}
	return false
}

func (f *Found) equal(other Found) bool {
	return f.Kind == other.Kind && f.Field == other.Field && f.Detail == other.Detail && f.Locale == other.Locale &&
		f.Since.Equal(other.Since.Time) && (f.Ignored == nil) == (other.Ignored == nil)
}

// row is the content of the row of a finding.
type row struct {
	ID string `json:"id"` // of the entry
	Found
}
