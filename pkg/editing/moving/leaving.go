package moving

import (
	"cmp"
	"context"
	"errors"
	"net/url"

	"headless/pkg/cms"
	"headless/pkg/content/tree"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/editing/standing"
	"headless/pkg/input"
	"headless/pkg/site"
)

// The values of children (extensions §13). They decide about the entries below one that leaves the
// public or is deleted.
const (
	Up   = "up"   // they move to its parent
	Down = "down" // they leave in the same way, before it
)

// AtOnce is how many entries below one that leaves a step of work changes before it tries the change again.
const AtOnce = 20

// Asked reads the query parameter children of a change, "" if it is not there. Error: BAD_REQUEST.
func Asked(q url.Values) (string, error) {
	values := q["children"]
	switch {
	case len(values) == 0:
		return "", nil
	case len(values) > 1 || values[0] != Up && values[0] != Down:
		return "", cms.Errorf(cms.CodeBadRequest, "children must be up or down.")
	case values[0] == Down && q.Has("if_unused"):
		return "", cms.Errorf(cms.CodeBadRequest, "children=down cannot be combined with if_unused.")
	}
	return values[0], nil
}

// Decode decodes children at a path of a body. Nil is "", as is an empty input of a form.
func Decode(p cms.Problems, path string, v any) string {
	text, _ := v.(string)
	if form, ok := v.(input.FormValue); ok {
		if text = form.Last(); text == "" {
			return ""
		}
	}
	if v != nil && text != Up && text != Down {
		p.Add(path, "must be up or down")
		return ""
	}
	return text
}

// Leaving is a change by which an entry may leave the middle of a tree, and the choice for those below it.
// The entry leaves last. If the work ends in between, the same change can be made again and goes on.
type Leaving struct {
	Entries  *editing.Entries // Follow joins every change of an entry
	Actor    cms.Actor
	Children string     // Up or Down
	Needs    cms.Action // the right that the change needs for each entry
	// Change makes the change of the entry itself, and Out the change of one below it, for Down.
	Change func(ctx context.Context, entries *editing.Entries) error
	Out    func(ctx context.Context, entries *editing.Entries, id string) error
}

// Held returns the error of Change if it is standing.Held and Children has a choice.
func (l Leaving) Held(err error) (held *standing.Held, ok bool) {
	return held, l.Children != "" && errors.As(err, &held)
}

// Permit returns an error if the caller may not move or remove the entries below as Children says.
func (l Leaving) Permit(ctx context.Context, held *standing.Held) error {
	needs, nodes := l.Needs, held.Below
	switch {
	case l.Children == Up:
		needs, nodes = cms.ActionWrite, held.Directly
	case held.Partly:
		return cms.Errorf(cms.CodeConflict,
			"More than %d entries stand below this one. Take out parts of them first.", cms.MaxNodes)
	}
	for _, n := range nodes {
		if err := held.Model.Permit(ctx, needs, &cms.Entry{Locale: n.Locale, Status: n.Status}, nil); err != nil {
			return err
		}
	}
	return nil
}

var errTried = errors.New("moving: only tried")

// Check returns why the change would be refused even without the entries below, or why these may not be
// changed. Nothing is written.
func (l Leaving) Check(ctx context.Context, held *standing.Held) error {
	if err := l.Permit(ctx, held); err != nil {
		return err
	}
	trial := *l.Entries
	trial.Follow = func(ctx context.Context, _ *site.Model, tx *db.Tx) error {
		return cmp.Or(tx.CheckReserved(ctx), errTried) // a slug or a unique value may be taken
	}
	if err := l.Change(standing.Free(ctx), &trial); !errors.Is(err, errTried) {
		return err
	}
	return nil
}

// Clear checks the change, and then moves or removes up to most of the entries below as Children says. Call Change
// again after it.
func (l Leaving) Clear(ctx context.Context, held *standing.Held, most int) error {
	if err := l.Check(ctx, held); err != nil {
		return err
	}
	ctx = db.BeforeOnce(ctx)
	if l.Children == Up {
		return l.moveUp(ctx, held, most)
	}
	for _, n := range held.Below[:min(most, len(held.Below))] {
		if err := l.Out(ctx, l.Entries, n.ID); err != nil && cms.CodeOf(err) != cms.CodeEntryNotFound {
			return err
		}
	}
	return nil
}

// errElsewhere says that an entry does not stand below the one that leaves any more.
var errElsewhere = errors.New("moving: the entry stands elsewhere")

// moveUp moves entries to the parent of the one above them, to the end and in their order.
func (l Leaving) moveUp(ctx context.Context, held *standing.Held, most int) error {
	above := cms.Entry{Locale: held.Entry.Locale}
	above.Stand(held.Entry.ParentID(), 0)
	end, err := Trees{l.Entries}.positionFor(ctx, held.Model, &above, moveInput{})
	if cms.CodeOf(err) == cms.CodeQueryNotIndexed {
		err = standing.ErrLargeMove
	}
	if err != nil {
		return err
	}
	for i, n := range held.Directly[:min(most, len(held.Directly))] {
		err := l.moveOne(ctx, held, n, end+float64(i))
		if err != nil && !errors.Is(err, errElsewhere) && cms.CodeOf(err) != cms.CodeEntryNotFound {
			return err
		}
	}
	return nil
}

func (l Leaving) moveOne(ctx context.Context, held *standing.Held, n *tree.Node, position float64) error {
	_, err := l.Entries.Stand(ctx, l.Actor, held.Model.Slug, n.ID, nil,
		func(_ *site.Model, e *cms.Entry) (string, error) {
			if e.ParentID() != held.Entry.ID {
				return "", errElsewhere
			}
			return held.Entry.ParentID(), nil
		},
		func(*site.Model, *cms.Entry) (float64, error) { return position, nil })
	return err
}
