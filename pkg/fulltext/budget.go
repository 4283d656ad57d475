package fulltext

import (
	"sync/atomic"

	"headless/pkg/cms"
	"headless/pkg/fulltext/analysis"
)

// What one search may read, in units of 4 KB as DynamoDB counts them. With the entries of a page it
// stays below 500 units, however many entries and words there are.
const (
	maxUnits   = 420
	keptUnits  = 120 // of these, for entries looked up in the unread parts of long lists
	leastUnits = 60  // for what goes beyond the first unit of each list
	maxLists   = 320 // each costs a unit, even an empty one
	leastTerms = 8   // words that a search may have in any number of spaces
	fewLists   = 24  // with more, a space whose entries cannot match costs only its first units
	unitBlocks = 4   // blocks in a unit
	growth     = 3   // how much more of a list each further round reads
)

// Budget is what a search may still read beyond the first unit of the list of each of its words in
// each space. All models, spaces and words of a search share it. It is safe for concurrent use.
type Budget struct {
	left  atomic.Int64 // units
	first int          // blocks of a list to read in the first round
	few   bool         // there are few lists: see fewLists
}

var errManyLists = cms.Errorf(cms.CodeBadRequest,
	"q has too many words for so many models and locales. Search for fewer words, or in fewer of them.")

// NewBudget returns the budget of a search for a text in a number of spaces. Errors: BAD_REQUEST if
// the text has too many words for so many spaces.
func NewBudget(text string, spaces int) (*Budget, error) {
	terms := len(analysis.ParseQuery(text, "").Terms)
	lists := max(1, spaces*terms)
	if lists > maxLists && terms > leastTerms {
		return nil, errManyLists
	}
	b := &Budget{first: max(unitBlocks, (maxUnits-keptUnits)*unitBlocks/lists), few: lists <= fewLists}
	if lists > 1 { // the shorter lists leave the rest to the longer ones
		b.first = max(unitBlocks, b.first/2)
	}
	b.left.Store(keptUnits + max(leastUnits, int64(maxUnits-keptUnits-lists)))
	return b, nil
}

// attempt is one attempt of a search, with the units of the budget that it has used.
type attempt struct {
	budget *Budget
	used   atomic.Int64
}

// undo gives back what a failed attempt has used, so that a repeat finds as much.
func (a *attempt) undo() { a.budget.left.Add(a.used.Swap(0)) }

// takeBlocks returns how many blocks may be read of about n. The first unit of them is free if this
// is the first read of a term's list.
func (a *attempt) takeBlocks(n int, free bool) int {
	units := (n + unitBlocks - 1) / unitBlocks
	if free {
		return unitBlocks * (1 + a.take(units-1, keptUnits))
	}
	return unitBlocks * a.take(units, keptUnits)
}

// putBack gives back blocks that were taken and not read: all but the first unit.
func (a *attempt) putBack(taken, read int) {
	units := int64((taken - max(read, unitBlocks)) / unitBlocks)
	a.budget.left.Add(units)
	a.used.Add(-units)
}

// takeProbes returns how many of n entries may be looked up.
func (a *attempt) takeProbes(n int) int { return a.take(n, 0) }

// take takes up to n units and leaves some. It returns how many it took.
func (a *attempt) take(n, leave int) int {
	for {
		left := a.budget.left.Load()
		granted := min(left-int64(leave), int64(n))
		if granted <= 0 {
			return 0
		}
		if a.budget.left.CompareAndSwap(left, left-granted) {
			a.used.Add(granted)
			return int(granted)
		}
	}
}
