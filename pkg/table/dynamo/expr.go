package dynamo

import (
	"math"

	"headless/pkg/table"
)

// The conditions. Names are aliased, since DynamoDB reserves hundreds of words.
const (
	isLive   = "(attribute_not_exists(#x) OR #x > :now)"
	isDead   = "#x <= :now"
	isAbsent = "attribute_not_exists(#pk) OR " + isDead
	isThere  = "attribute_exists(#pk) AND " + isLive
	isFresh  = "attribute_not_exists(#v) AND " + isThere // version 0 is not stored
	isAtV    = "#v = :v AND " + isLive
)

// expr is a condition with the names and values that it uses. The zero expr always holds.
type expr struct {
	text   *string
	names  map[string]string
	values attrs
}

func (e *expr) addName(alias, attribute string) {
	if e.names == nil {
		e.names = make(map[string]string, 4)
	}
	e.names[alias] = attribute
}

func (e *expr) addValue(alias string, n int64) {
	if e.values == nil {
		e.values = make(attrs, 4)
	}
	e.values[alias] = numberValue(n)
}

// withTime returns a condition that compares the expiry with now, in Unix seconds.
func withTime(text string, now int64) expr {
	e := expr{text: &text}
	e.addName("#x", table.AttrExpires)
	e.addValue(":now", now)
	return e
}

// condition returns the condition of an operation.
func condition(op *table.Op, now int64) expr {
	var e expr
	switch op.If {
	case table.Absent:
		e = withTime(isAbsent, now)
	case table.Present:
		e = withTime(isThere, now)
	case table.VersionIs:
		if op.Version != 0 {
			e = withTime(isAtV, now)
			e.addName("#v", table.AttrVersion)
			e.addValue(":v", op.Version)
			return e
		}
		e = withTime(isFresh, now)
		e.addName("#v", table.AttrVersion)
	default:
		return e
	}
	e.addName("#pk", table.AttrPartition)
	return e
}

// addition returns the update expression of an Add, and adds its names and values to e.
func addition(e *expr, count, expires int64) *string {
	text := "ADD #n :d"
	e.addName("#n", table.AttrCount)
	e.addValue(":d", count)
	if expires != 0 {
		text += " SET #x = if_not_exists(#x, :x)"
		e.addName("#x", table.AttrExpires)
		e.addValue(":x", expires)
	}
	return &text
}

// boundedCondition returns the condition that adding delta to a live or absent item keeps it within limit.
func boundedCondition(delta, limit, now int64) expr {
	text := isLive + " AND #n <= :room"
	if delta <= limit {
		text = isLive + " AND (attribute_not_exists(#n) OR #n <= :room)"
	}
	room := limit - delta
	if delta < 0 && room < limit { // overflow
		room = math.MaxInt64
	}
	e := withTime(text, now)
	e.addValue(":room", room)
	return e
}
