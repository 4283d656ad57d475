// Package moving moves entries in the trees of their models (extensions §13). What always holds: a move saves
// one entry; making room for it among others saves none.
package moving

import (
	"context"
	"maps"
	"math"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/content/tree"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/input"
	"headless/pkg/site"
)

// moveInput is the decoded body of a move.
type moveInput struct {
	id     string
	parent *string // "" is the root; nil: the present one
	beside string  // id of an entry, "" to move to the end
	after  bool    // beside is the entry before; else the one after
	first  bool    // before all others, without beside
}

func decodeMove(body map[string]any) (in moveInput, p cms.Problems) {
	p = cms.Problems{}
	for _, key := range slices.Sorted(maps.Keys(body)) {
		v := body[key]
		text, isText := v.(string)
		id, isID := input.CanonicalID(text)
		switch {
		case !slices.Contains([]string{"id", "parent", "before", "after"}, key):
			p.Add(key, "is not a known key")
		case key == "parent" && (v == nil || isText && text == ""):
			in.parent = new(string)
		case v == nil:
		case !isText || !isID:
			p.Add(key, "must be the id of an entry")
		case key == "id":
			in.id = id
		case key == "parent":
			in.parent = &id
		case in.beside != "":
			p.Add(key, "is only one of before and after")
		default: // after sorts before before
			in.beside, in.after = id, key == "after"
		}
	}
	p.Require("id", in.id)
	return in, p
}

// Trees has the use cases that move entries in the trees of their models.
type Trees struct{ Entries *editing.Entries }

// Move puts an entry below another one, beside an entry there or at the end (extensions §13). It saves
// that entry alone. Errors: MODEL_NOT_FOUND, NOT_FOUND for a model without a tree, VALIDATION_FAILED,
// CONFLICT for more than 2,000 entries, and the error of the precondition.
func (t Trees) Move(ctx context.Context, actor cms.Actor, model string, body map[string]any,
	ok input.Precondition[*cms.Entry]) (*cms.Entry, error) {
	if _, err := t.treeModel(ctx, model); err != nil {
		return nil, err
	}
	in, problems := decodeMove(body)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return t.move(ctx, actor, model, in, ok)
}

// treeModel returns an active model with a tree.
func (t Trees) treeModel(ctx context.Context, slug string) (*site.Model, error) {
	now, err := t.Entries.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	m, err := now.ActiveModel(slug)
	if err == nil && !m.Tree {
		err = editing.ErrNoTree
	}
	return m, err
}

// move is Move with a decoded body.
func (t Trees) move(ctx context.Context, actor cms.Actor, model string, in moveInput,
	ok input.Precondition[*cms.Entry]) (*cms.Entry, error) {
	e, err := t.Entries.Stand(ctx, actor, model, in.id, ok, func(m *site.Model, e *cms.Entry) (string, error) {
		if in.parent == nil || !m.Tree {
			return e.ParentID(), nil
		}
		return *in.parent, nil
	}, func(m *site.Model, e *cms.Entry) (float64, error) { return t.positionFor(ctx, m, e, in) })
	if cms.CodeOf(err) == cms.CodeEntryNotFound {
		err = cms.Problems{"id": {"is not an entry of this model"}}.Err()
	}
	return e, err
}

// positionFor returns the position of a moved entry among those with its new parent. If there is no room
// between two of them, it makes room.
func (t Trees) positionFor(ctx context.Context, m *site.Model, e *cms.Entry, in moveInput) (float64, error) {
	found, err := t.Entries.Store.ReadTree(ctx, m, e.Locale, cms.Statuses, e.ParentID(), 1)
	if err != nil {
		return 0, err
	}
	siblings := slices.DeleteFunc(slices.Clone(found.Below(e.ParentID())),
		func(n *tree.Node) bool { return n.ID == e.ID })
	at := len(siblings) // e comes before the sibling at this index
	if in.beside != "" {
		at = slices.IndexFunc(siblings, func(n *tree.Node) bool { return n.ID == in.beside })
		if at < 0 {
			key := "before"
			if in.after {
				key = "after"
			}
			return 0, cms.Problems{key: {"is not directly below the parent"}}.Err()
		}
		if in.after {
			at++
		}
	}
	if in.first {
		at = 0
	}
	switch {
	case len(siblings) == 0:
		return 0, nil
	case at == len(siblings):
		return math.Floor(siblings[at-1].Position) + 1, nil
	case at == 0:
		return math.Ceil(siblings[0].Position) - 1, nil
	}
	low, high := siblings[at-1].Position, siblings[at].Position
	if whole := math.Floor(low) + 1; whole < high {
		return whole, nil
	}
	if middle := low + (high-low)/2; low < middle && middle < high {
		return middle, nil
	}
	return t.makeRoom(ctx, m, siblings, at)
}

// makeRoom moves the positions of siblings apart and returns a free one before the sibling at an index.
// It changes those after or those before it, whichever are fewer; their order is right all the time.
func (t Trees) makeRoom(ctx context.Context, m *site.Model, siblings []*tree.Node, at int) (float64, error) {
	up, free := at, math.Floor(siblings[at-1].Position)+1
	for next := free; up < len(siblings) && siblings[up].Position <= next; up++ {
		next++
	}
	down, low := at, math.Ceil(siblings[at].Position)-1
	for next := low; down > 0 && siblings[down-1].Position >= next; down-- {
		next--
	}
	type change struct {
		id       string
		position float64
	}
	var changes []change
	if up-at <= at-down {
		for i := up - 1; i >= at; i-- { // the last first
			changes = append(changes, change{siblings[i].ID, free + float64(i-at+1)})
		}
	} else {
		free = low
		for i := down; i < at; i++ {
			changes = append(changes, change{siblings[i].ID, free - float64(at-i)})
		}
	}
	for _, c := range changes {
		if err := t.reposition(ctx, m.Slug, c.id, c.position); err != nil {
			return 0, err
		}
	}
	return free, nil
}

// reposition changes the position of an entry without saving it (see content.Reposition). It ignores an
// entry that does not exist any more.
func (t Trees) reposition(ctx context.Context, model, id string, position float64) error {
	err := t.Entries.Change(ctx, model, func(_ *site.Site, m *site.Model) (*db.Tx, error) {
		rec, err := t.Entries.Store.EntryForChange(ctx, m, id)
		if err != nil {
			return nil, err
		}
		tx := t.Entries.Store.Begin()
		content.Reposition(tx, m, rec, position)
		return tx, nil
	}, func() bool { return false })
	return db.Missing(err, nil)
}
