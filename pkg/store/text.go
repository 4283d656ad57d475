package store

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/search"
	"headless/pkg/table"
)

// The text index holds one posting for each term of an entry. Postings are too many for a transaction: new ones are written before the commit,
// obsolete ones deleted after it. Meanwhile a pending row says which entry is in between; a search checks the hits of such entries, and
// the sweeper finishes what a crash left (RepairText). A posting's key holds the stamp of the attempt that wrote it, so neither a late deletion
// nor a rival that loses hits a posting of another write.

// indexedText is what the text index holds of an entry for one kind of reader.
type indexedText struct {
	Space string             `json:"s"`
	Terms map[string]posting `json:"t"` // by stem
}

// posting is one term of an entry: an array in JSON, to keep manifests small.
type posting struct {
	Stamp  int64  // of the attempt that wrote the posting: random, below maxStamp
	Weight uint16 // see weightOf
	Words  string // as written, joined by blanks
}

func (p posting) MarshalJSON() ([]byte, error) {
	return cms.Marshal([]any{p.Stamp, p.Weight, p.Words})
}

func (p *posting) UnmarshalJSON(raw []byte) error {
	parts := []any{&p.Stamp, &p.Weight, &p.Words}
	return cms.Unmarshal(raw, &parts)
}

// maxStamp keeps stamps short in manifests, and two of one entry from ever being the same.
const maxStamp = 1 << 48

// weightScale turns a term's weight, between 0 and 2.2, into a whole number.
const weightScale = 29_000

func weightOf(w float64) uint16 { return uint16(math.Round(min(w*weightScale, math.MaxUint16))) }

// publicText marks the space of the text that readers without an admin role may search, where it is less than all.
const publicText = "#public"

// hidesText tells whether a field that is searched is hidden from keys without an admin role.
func (m *Model) hidesText() bool {
	visible := m.Visible()
	return visible != &m.Model && fmt.Sprint(searchablePaths(visible.Fields)) != fmt.Sprint(searchablePaths(m.Fields))
}

// texts computes what the text index holds of an entry: for everybody, and apart for the public where fields are hidden from it.
func (m *Model) texts(space string, e *cms.Entry, stamp int64) []indexedText {
	all := []indexedText{textOf(space, &m.Model, e, stamp)}
	if m.hidesText() {
		all = append(all, textOf(space+publicText, m.Visible(), e, stamp))
	}
	return all
}

func textOf(space string, m *cms.Model, e *cms.Entry, stamp int64) indexedText {
	x := indexedText{Space: space, Terms: map[string]posting{}}
	for _, term := range search.Analyze(e.Title, SearchableTexts(m, e.Data), e.Locale).Terms {
		if len(term.Stem) <= maxStem {
			x.Terms[term.Stem] = posting{Stamp: stamp, Weight: weightOf(term.Weight), Words: strings.Join(term.Words, " ")}
		}
	}
	return x
}

// maxStem keeps sort keys within their size; longer "words" are not found.
const maxStem = 400

// SearchableTexts are the plain texts of the searchable fields that the model knows.
func SearchableTexts(m *cms.Model, data map[string]any) []string {
	return appendTexts(nil, m.Fields, data)
}

func appendTexts(texts []string, fields []cms.Field, data map[string]any) []string {
	for i := range fields {
		f := &fields[i]
		switch v := data[f.Name].(type) {
		case string:
			if f.Searchable && f.Type == cms.TypeRichText {
				texts = append(texts, search.PlainText(v))
			} else if f.Searchable {
				texts = append(texts, v)
			}
		case map[string]any:
			if f.Type == cms.TypeGroup {
				texts = appendTexts(texts, f.Fields, v)
			}
		case []any:
			for _, item := range v {
				texts = appendListed(texts, f, item)
			}
		}
	}
	return texts
}

// appendListed takes the texts of one element of a multiselect, list or blocks field.
func appendListed(texts []string, f *cms.Field, item any) []string {
	switch v := item.(type) {
	case string:
		if f.Searchable {
			texts = append(texts, v)
		}
	case map[string]any:
		fields := f.Fields
		if f.Type == cms.TypeBlocks {
			fields = nil
			for i := range f.Fields {
				if f.Fields[i].Name == v["type"] {
					fields = f.Fields[i].Fields
				}
			}
		}
		texts = appendTexts(texts, fields, v)
	}
	return texts
}

func searchablePaths(fields []cms.Field) []string {
	var paths []string
	for i := range fields {
		if fields[i].Searchable {
			paths = append(paths, fields[i].Name+" "+string(fields[i].Type))
		}
		for _, below := range searchablePaths(fields[i].Fields) {
			paths = append(paths, fields[i].Name+"."+below)
		}
	}
	return paths
}

// textKind sums up what the text index of a model depends on.
func (m *Model) textKind() string {
	return fmt.Sprintf("text %q public %q", searchablePaths(m.Fields), searchablePaths(m.Visible().Fields))
}

// pendingText is what a change of the text index was about to write and to delete.
type pendingText struct {
	Put    []indexedText `json:"p"`
	Delete []indexedText `json:"d"`
}

// retext replaces what the text index holds of an entry. Postings that stay as they are keep the stamp that they have.
func (t *Tx) retext(m *Model, was []indexedText, now []indexedText, id uuid.UUID, stamp int64) {
	change := diffTexts(was, now)
	puts, deletes := change.rows(id), keysOf(change.Delete, id)
	if len(puts)+len(deletes) == 0 {
		return
	}
	pending := table.Item{Key: pendingKey(m.ID, id, stamp), Body: packSeldom(mustMarshal(change)), Version: t.at.UnixMilli()}
	s := t.s
	var words []table.Item
	t.before = append(t.before, func(ctx context.Context) (stages [][]table.Item, err error) {
		words, err = s.newWords(ctx, now)
		return [][]table.Item{append(words[:len(words):len(words)], pending), puts}, err
	})
	t.after = append(t.after, func(context.Context) { s.words.add(words) })
	t.undo = append(t.undo, func(ctx context.Context) {
		_ = s.repairText(ctx, m.ID, pending) // what stays is the sweeper's
	})
	if len(deletes) == 0 {
		t.delete(pending.Key)
		return
	}
	t.after = append(t.after, func(ctx context.Context) {
		if err := s.table.BatchWrite(ctx, nil, deletes); err == nil {
			_ = s.table.BatchWrite(ctx, nil, []table.Key{pending.Key}) // what stays is the sweeper's
		}
	})
}

// diffTexts finds what to write and what to delete. Unchanged postings are taken over into now.
func diffTexts(was, now []indexedText) pendingText {
	var change pendingText
	held := map[string]map[string]posting{}
	for _, x := range was {
		held[x.Space] = x.Terms
	}
	for _, x := range now {
		put := indexedText{Space: x.Space, Terms: map[string]posting{}}
		for stem, p := range x.Terms {
			if old, ok := held[x.Space][stem]; ok && old.Weight == p.Weight && old.Words == p.Words {
				x.Terms[stem] = old
			} else {
				put.Terms[stem] = p
			}
		}
		if len(put.Terms) > 0 {
			change.Put = append(change.Put, put)
		}
	}
	kept := map[string]map[string]posting{}
	for _, x := range now {
		kept[x.Space] = x.Terms
	}
	for _, x := range was {
		gone := indexedText{Space: x.Space, Terms: map[string]posting{}}
		for stem, p := range x.Terms {
			if kept[x.Space][stem] != p {
				gone.Terms[stem] = p
			}
		}
		if len(gone.Terms) > 0 {
			change.Delete = append(change.Delete, gone)
		}
	}
	return change
}

func (c pendingText) rows(id uuid.UUID) []table.Item {
	var rows []table.Item
	for _, x := range c.Put {
		for stem, p := range x.Terms {
			rows = append(rows, table.Item{Key: postingKey(x.Space, stem, p, id), Body: []byte(p.Words)})
		}
	}
	return rows
}

func keysOf(texts []indexedText, id uuid.UUID) []table.Key {
	var keys []table.Key
	for _, x := range texts {
		for stem, p := range x.Terms {
			keys = append(keys, postingKey(x.Space, stem, p, id))
		}
	}
	return keys
}
