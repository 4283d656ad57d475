package ahead

import (
	"context"
	"slices"
	"strings"

	"headless/pkg/table"
)

// spot says whose rows a key leads to, of those that content.LayEntry and content.LayTrails write.
type spot struct {
	model     string // id, "" if the key does not say it
	entry     string // id, "" for the rows of several entries
	keyLocale string // "" for all
	trail     bool   // former slugs
	moves     bool   // change rows of counters, of all spaces
}

// spacePrefix starts the partitions of the rows of a space.
const spacePrefix = "I#"

// spotOf returns what a key leads to. ok is false for rows that are not of entries.
func spotOf(key table.Key) (s spot, ok bool) {
	kind, rest, _ := strings.Cut(key.Partition, "#")
	first, rest, _ := strings.Cut(rest, "#")
	second, _, _ := strings.Cut(rest, "#")
	model, _, _ := strings.Cut(first, ".") // of spaces, which have a generation behind it
	switch kind {
	case "E":
		return spot{model: first, entry: second}, true
	case "ADDRESS":
		return spot{entry: first}, true
	case "S":
		return spot{model: first, keyLocale: second}, true
	case "HAD":
		return spot{model: first, keyLocale: second, trail: true}, true
	case "FORMER":
		return spot{model: first, entry: key.Sort, trail: true}, true
	case "I", "C":
		return spot{model: model, keyLocale: second}, true
	case "CH":
		return spot{model: model, moves: true}, true
	}
	return s, false
}

// lagging is a table whose reads of rows of single entries may miss the latest writes, and cost half. Lists and
// counters miss nothing.
type lagging struct{ table.Table }

func (t lagging) Get(ctx context.Context, how table.Consistency, keys ...table.Key) ([]*table.Item, error) {
	isOther := func(key table.Key) bool {
		spot, ok := spotOf(key)
		return !ok || spot.entry == ""
	}
	if !slices.ContainsFunc(keys, isOther) {
		how = table.Eventual
	}
	return t.Table.Get(ctx, how, keys...)
}
