package entryforms

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/ui"
	"headless/pkg/cms"
)

// formRow is a row in three versions; those that do not have it are nil.
type formRow struct {
	base, mine, theirs map[string]any
	index              int    // in the rows that the form sent
	name               string // id in the series of the stored rows
	merged
	gone bool // the result does not have it
}

// mergeRows merges the rows of a list or of blocks: each by itself, wherever it was moved.
func (g merger) mergeRows(f *cms.Field, key string, base any, mine []any, theirs any) merged {
	stored, _ := theirs.([]any)
	was, _ := base.([]any)
	rows := map[string]*formRow{}
	row := func(id string) *formRow {
		if rows[id] == nil {
			rows[id] = &formRow{}
		}
		return rows[id]
	}
	var wasIDs, mineIDs, theirIDs []string
	for i, item := range was {
		tree, _ := item.(map[string]any)
		wasIDs = append(wasIDs, RowID(tree, i))
		row(wasIDs[i]).base = tree
	}
	for i, item := range mine {
		object, _ := item.(map[string]any)
		id := RowID(object, i)
		if slices.Contains(mineIDs, id) {
			id = ui.NewRowID() // a form that another program made
		}
		mineIDs = append(mineIDs, id)
		row(id).mine, row(id).index = object, i
	}
	for i, from := range g.matchRows(f, was, stored) {
		object, _ := stored[i].(map[string]any)
		name := RowID(object, i)
		id := name
		if from >= 0 {
			id = wasIDs[from]
		} else if !g.byID || slices.Contains(theirIDs, id) {
			id = ui.NewRowID()
		}
		theirIDs = append(theirIDs, id)
		row(id).theirs, row(id).name = object, name
	}
	for id, r := range rows {
		if r.name == "" && g.byID {
			r.name = id
		} else if r.name == "" {
			r.name = ui.NewRowID()
		}
		r.merge(g, f, key, id)
	}
	return joinRows(rows, wasIDs, mineIDs, theirIDs)
}

// merge finds the result for one row. A change outweighs a removal. id is that of the form.
func (r *formRow) merge(g merger, f *cms.Field, key, id string) {
	changed := func(row map[string]any) bool { return r.base == nil || !equalTrees(treeOfRow(f, row, id), r.base) }
	switch {
	case r.mine != nil && r.theirs != nil:
		at := key + "." + strconv.Itoa(r.index)
		before := r.base
		if before == nil { // both added it, by an undo or by a save whose answer was lost
			before = treeOfRow(f, map[string]any{"type": kindOf(r.theirs)}, id)
		}
		r.merged = g.mergeFields(fieldsOfRow(f, r.theirs), at, before, r.mine, r.theirs)
		r.store, r.shown = asRow(f, r.store, r.theirs, r.name), asRow(f, r.shown, r.theirs, r.name)
		r.sent, r.base = asTree(f, r.sent, r.theirs, id), asTree(f, r.merged.base, r.theirs, r.name)
	case r.mine != nil:
		r.gone = !changed(r.mine)
		r.store = asRow(f, wholeFields(fieldsOfRow(f, r.mine), r.mine, false), r.mine, r.name)
		r.shown, r.sent, r.base = r.store, treeOfRow(f, r.mine, id), nil
	case r.theirs != nil:
		r.gone = !changed(r.theirs)
		r.store, r.shown, r.base = r.theirs, r.theirs, treeOfRow(f, r.theirs, r.name)
	default:
		r.gone = true
	}
}

// asRow returns the fields of a row with the type of like and an id.
func asRow(f *cms.Field, fields any, like map[string]any, id string) any {
	row, ok := fields.(map[string]any)
	if !ok {
		row = map[string]any{}
	}
	row[ui.RowKey] = id
	if f.Type == cms.TypeBlocks {
		row["type"] = kindOf(like)
	}
	return row
}

// asTree completes the tree of the fields of a row.
func asTree(f *cms.Field, fields any, like map[string]any, id string) map[string]any {
	tree, _ := fields.(map[string]any)
	tree[ui.RowKey] = id
	if f.Type == cms.TypeBlocks {
		tree[kindKey] = kindOf(like)
	}
	return tree
}

// joinRows puts the results of rows in order. The order is the stored one, unless only the form
// changed it; rows that the other version added stay behind their neighbours.
func joinRows(rows map[string]*formRow, was, mine, theirs []string) merged {
	common := func(ids []string) []string {
		return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
			r := rows[id]
			return !slices.Contains(was, id) || r.mine == nil || r.theirs == nil
		})
	}
	lead, other := theirs, mine
	if !slices.Equal(common(mine), common(was)) {
		lead, other = mine, theirs
	}
	order := slices.Clone(lead)
	for i, id := range other {
		if slices.Contains(order, id) {
			continue
		}
		at := 0
		if i > 0 {
			at = slices.Index(order, other[i-1]) + 1
		}
		order = slices.Insert(order, at, id)
	}
	var store, shown []any
	var conflicts []Conflict
	for _, id := range order {
		r := rows[id]
		if r.gone {
			continue
		}
		for _, c := range r.conflicts {
			c.Shown = "." + strconv.Itoa(len(shown)) + c.Shown
			conflicts = append(conflicts, c)
		}
		store, shown = append(store, r.store), append(shown, r.shown)
	}
	sent, base := []any{}, []any{}
	for _, id := range mine {
		sent = append(sent, rows[id].sent)
	}
	for _, id := range theirs {
		base = append(base, rows[id].base)
	}
	return merged{store: listOf(store), shown: listOf(shown), sent: sent, base: base, conflicts: conflicts}
}

// listOf returns nil for an empty list.
func listOf(rows []any) any {
	if rows == nil {
		return nil
	}
	return rows
}

// rowValues are the values of a row, to compare it with others. Each line of a text is a value.
type rowValues struct {
	kind, whole string
	values      map[string]bool
}

// nothing are the values of empty fields, which make rows no more alike.
var nothing = []string{ui.Digest(nil), ui.Digest(""), ui.Digest(false), "", "[]", "{}"}

func valuesOfTree(tree any) rowValues {
	row, _ := tree.(map[string]any)
	v := rowValues{values: map[string]bool{}, whole: treeText(row)}
	v.kind, _ = row[kindKey].(string)
	for key, inner := range row {
		if key == ui.RowKey || key == kindKey {
			continue
		}
		for part := range strings.FieldsSeq(treeText(inner)) {
			if part = strings.Trim(part, `"`); !slices.Contains(nothing, part) {
				v.values[key+" "+part] = true
			}
		}
	}
	return v
}

// countShared counts the values that two rows of one type share, 0 for rows of different types.
func (v rowValues) countShared(other rowValues) int {
	if v.kind != other.kind {
		return 0
	}
	if v.whole == other.whole {
		return math.MaxInt
	}
	n := 0
	for value := range v.values {
		if other.values[value] {
			n++
		}
	}
	return n
}

// rowMatch finds out which row of the base each stored row is.
type rowMatch struct {
	base, stored []rowValues
	from         []int // index in base of each stored row, -1 for none
	taken        []bool
}

// matchRows returns the index in the base of each stored row, -1 for a new one. Rows are matched by
// their ids. If these are of another series, rows are matched if they are equal, then by how many of
// their values are, then by their neighbours, then by their type.
func (g merger) matchRows(f *cms.Field, base, stored []any) []int {
	r := rowMatch{taken: make([]bool, len(base))}
	if g.byID {
		r.from = slices.Repeat([]int{-1}, len(stored))
		r.match(func(i, was int) bool { return idAt(stored, i) == idAt(base, was) })
		return r.from
	}
	for _, tree := range base {
		r.base = append(r.base, valuesOfTree(tree))
	}
	for _, item := range stored {
		row, _ := item.(map[string]any)
		r.stored, r.from = append(r.stored, valuesOfTree(treeOfRow(f, row, ""))), append(r.from, -1)
	}
	for r.matchMostAlike() {
	}
	r.match(func(i, was int) bool {
		before := i == 0 && was == 0 || i > 0 && was > 0 && r.from[i-1] == was-1
		after := i == len(r.stored)-1 && was == len(base)-1 ||
			i < len(r.stored)-1 && was < len(base)-1 && r.from[i+1] == was+1
		return (before || after) && r.stored[i].kind == r.base[was].kind
	})
	r.match(func(i, was int) bool { return r.stored[i].kind == r.base[was].kind })
	return r.from
}

// match matches the rows for which same is true.
func (r *rowMatch) match(same func(i, was int) bool) {
	for i := range r.from {
		for was := range r.taken {
			if r.from[i] < 0 && !r.taken[was] && same(i, was) {
				r.from[i], r.taken[was] = was, true
			}
		}
	}
}

// matchMostAlike matches the rows that share most values, those at the same index first. It reports
// whether there were any.
func (r *rowMatch) matchMostAlike() bool {
	most := 0
	r.match(func(i, was int) bool {
		most = max(most, r.stored[i].countShared(r.base[was]))
		return false
	})
	r.match(func(i, was int) bool { return most > 0 && i == was && r.stored[i].countShared(r.base[was]) == most })
	r.match(func(i, was int) bool { return most > 0 && r.stored[i].countShared(r.base[was]) == most })
	return most > 0
}
