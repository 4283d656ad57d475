package moving

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/groups"
	"headless/pkg/input"
	"headless/pkg/site"
)

// maxTogether is how many entries move together, their translations included.
const maxTogether = 100

// Together moves several entries to one place, one behind the other. An entry below another one of them goes
// along with it.
type Together struct {
	IDs []string // of the entries that move, in this order; those given first, then translations

	trees Trees
	actor cms.Actor
	model *site.Model
	known content.Above
	next  map[string]moveInput // where the next one goes, by locale
	moved map[string]*cms.Spot // where those that were moved stand, by id
}

// Together plans the moves of some entries to the place that a body names: parent, and before or after as in
// Move. With translations, the translations of the entries go to the same place in their locales, if the parent
// has a translation there. Errors: MODEL_NOT_FOUND, NOT_FOUND for a model without a tree, VALIDATION_FAILED.
func (t Trees) Together(ctx context.Context, actor cms.Actor, model string, ids []string,
	body map[string]any) (*Together, error) {
	m, err := t.treeModel(ctx, model)
	if err != nil {
		return nil, err
	}
	in, translations, err := decodeTogether(ids, body)
	if err != nil {
		return nil, err
	}
	g := &Together{trees: t, actor: actor, model: m, known: content.Above{}, next: map[string]moveInput{},
		moved: map[string]*cms.Spot{}}
	if err := t.Entries.Store.AddAbove(ctx, g.known, slices.Concat(ids, []string{*in.parent, in.beside})...); err != nil {
		return nil, err
	}
	for _, id := range ids {
		g.next[g.known[id].Locale] = in
	}
	moved := ids
	if translations {
		if moved, err = g.withTranslations(ctx, ids, in); err != nil {
			return nil, err
		}
	}
	for _, id := range moved {
		above := func(other string) bool { return slices.Contains(g.known.Chain(id), other) }
		if !slices.Contains(g.IDs, id) && !slices.ContainsFunc(moved, above) {
			g.IDs = append(g.IDs, id)
		}
	}
	if len(g.IDs) > maxTogether {
		return nil, cms.Problems{"ids": {fmt.Sprintf("are more than %d entries with their translations: move parts of them",
			maxTogether)}}.Err()
	}
	return g, nil
}

// decodeTogether makes ids canonical and decodes the place of a body.
func decodeTogether(ids []string, body map[string]any) (in moveInput, translations bool, err error) {
	wanted, also := input.Decode[struct {
		Translations bool `json:"translations"`
	}](map[string]any{"translations": body["translations"]})
	place := maps.Clone(body)
	delete(place, "ids")
	delete(place, "translations")
	place["id"] = ids[0]
	in, p := decodeMove(place)
	maps.Copy(p, also)
	if in.parent == nil && len(p["parent"]) == 0 {
		p.Add("parent", "is required; null is the root")
	}
	delete(p, "id") // it stands among ids
	if _, ok := body["id"]; ok {
		p.Add("id", "is not a known key")
	}
	for i, text := range ids {
		id, ok := input.CanonicalID(text)
		if !ok {
			p.Add("ids", "must be ids of entries")
			break
		}
		ids[i] = id
	}
	return in, wanted.Translations, p.Err()
}

// withTranslations returns the entries and those of their translations that the caller may read and that have
// a place to go to, and notes these places.
func (g *Together) withTranslations(ctx context.Context, ids []string, in moveInput) ([]string, error) {
	store := g.trees.Entries.Store
	found, err := groups.Of(ctx, store, g.model, slices.Concat(ids, []string{*in.parent, in.beside}))
	if err != nil {
		return nil, err
	}
	parents, besides := found[len(ids)].Members, found[len(ids)+1].Members
	all := slices.Clone(ids)
	for i, id := range ids {
		for _, locale := range slices.Sorted(maps.Keys(found[i].Members)) {
			if parent := parents[locale]; locale != g.known[id].Locale && (*in.parent == "" || parent != "") &&
				cms.PermissionsOf(ctx).May(cms.ActionRead, g.model.Slug, locale) {
				all = append(all, found[i].Members[locale])
				if _, ok := g.next[locale]; !ok {
					g.next[locale] = moveInput{parent: &parent, beside: besides[locale], after: in.after}
				}
			}
		}
	}
	if err := store.AddAbove(ctx, g.known, slices.Concat(all, slices.Collect(maps.Values(besides)))...); err != nil {
		return nil, err
	}
	for locale, next := range g.next {
		if beside := next.beside; locale != g.known[ids[0]].Locale &&
			(g.known[beside].Parent != *next.parent || slices.Contains(all, beside)) {
			next.beside = "" // to the end
			g.next[locale] = next
		}
	}
	return all, nil
}

// Move moves one of the entries. Errors: those of Trees.Move.
func (g *Together) Move(ctx context.Context, id string) error {
	locale := g.known[id].Locale
	in := g.next[locale]
	in.id = id
	e, err := g.trees.move(ctx, g.actor, g.model.Slug, in, nil)
	if err == nil {
		g.moved[id] = e.Spot
		g.next[locale] = moveInput{parent: in.parent, beside: id, after: true}
	}
	return err
}

// Spot is the place of an entry, and the one to which it was moved from there.
type Spot struct {
	ID     string `json:"id"`
	Parent string `json:"parent"` // "": the root
	After  string `json:"after"`  // "": it is the first

	Now *cms.Spot `json:"now"`
}

// Spots returns the places of the entries, in an order in which PutBack can put them back.
func (g *Together) Spots(ctx context.Context) (spots []Spot, err error) {
	read := map[[2]string]bool{}
	for _, id := range g.IDs {
		a := g.known[id]
		place := [2]string{a.Locale, a.Parent}
		if read[place] {
			continue
		}
		read[place] = true
		found, err := g.trees.Entries.Store.ReadTree(ctx, g.model, a.Locale, cms.Statuses, a.Parent, 1)
		if err != nil {
			return nil, err
		}
		after := ""
		for _, n := range found.Below(a.Parent) {
			if slices.Contains(g.IDs, n.ID) {
				spots = append(spots, Spot{ID: n.ID, Parent: a.Parent, After: after})
			}
			after = n.ID
		}
	}
	return spots, nil
}

// Moved returns those spots whose entries were moved, with where they stand now.
func (g *Together) Moved(spots []Spot) (moved []Spot) {
	for _, s := range spots {
		if s.Now = g.moved[s.ID]; s.Now != nil {
			moved = append(moved, s)
		}
	}
	return moved
}

// PutBack moves an entry to its former place if ok permits to move it from where it stands. Errors: those of Move
// and of ok.
func (t Trees) PutBack(ctx context.Context, actor cms.Actor, model string, was Spot,
	ok input.Precondition[*cms.Entry]) error {
	_, err := t.move(ctx, actor, model, moveInput{id: was.ID, parent: &was.Parent, beside: was.After, after: true,
		first: was.After == ""}, ok)
	return err
}

// Name returns the title of one of the entries, its id if the caller may not read it.
func (g *Together) Name(ctx context.Context, id string) string {
	return cmp.Or(g.known[id].TitleIn(ctx, g.model), id)
}
