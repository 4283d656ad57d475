package admin

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
)

// stepKey is the name of the buttons that ask for a step.
const stepKey = "_do"

// formStep is what a button asks for before a form is sent for good: one more row, another place
// for one, a look at what can be chosen. The form comes back with what was typed, and nothing is
// saved. This needs no script; app.js only puts the answer into the page.
type formStep struct {
	verb string // add, remove, up, down, retype; pick, find, done (see pick.go); resume (see signinagain.go)
	name string // of the field or row: "fields", "fields.3"
	arg  string // what to add, which value to move, where to, which page to show
}

// Button asks for a step.
type Button struct {
	Text  string
	Label string // what it does, where Text is a mere sign
	Help  string
	Do    string // verb, name and arg
	To    string // name of the field to look at then
}

func readStep(form url.Values) *formStep {
	text := form.Get(stepKey)
	if text == "" {
		return nil
	}
	verb, rest, _ := strings.Cut(text, " ")
	name, arg, _ := strings.Cut(rest, " ")
	return &formStep{verb, name, arg}
}

// Steps that change no rows: stepResume shows a form again as it was sent, stepKeep and stepTake
// settle a field that two people changed.
const (
	stepResume = "resume"
	stepKeep   = "keep"
	stepTake   = "take"
	stepSlug   = "slug" // makes the slug anew
)

// stepped is the answer to a step.
func (c *Call) stepped(route Route) (Result, error) {
	if route.Form == nil {
		return Result{}, cms.Errorf(cms.CodeBadRequest, "There is no form here that takes this step.")
	}
	c.step.rearrange(c.form)
	page, err := route.Form(c)
	if err != nil {
		return Result{}, err
	}
	page.Form.refill(c.form, nil)
	if c.step.verb == stepResume {
		page.Notice = "You are signed in again. What you typed is below and not saved yet."
	}
	if c.step.opens(c.step.name) {
		page.Form.Enter = "find " + c.step.name
	}
	return Result{Page: page}, nil
}

// rearrange changes the rows of what a form sent, or the order of the values of one field.
func (s *formStep) rearrange(form url.Values) {
	list, index, _ := cutLast(s.name)
	at, err := strconv.Atoi(index)
	switch {
	case s.verb == "add":
		s.add(form)
	case s.verb == "up" && s.arg != "":
		moveValue(form[s.name], s.arg, -1)
	case s.verb == "down" && s.arg != "":
		moveValue(form[s.name], s.arg, 1)
	case err != nil:
	case s.verb == "remove":
		renameRows(form, func(name string) (string, bool) { return name, !within(name, s.name) })
	case s.verb == "up":
		moveRow(form, list, at, at-1)
	case s.verb == "down":
		moveRow(form, list, at, at+1)
	case s.verb == "move":
		if to, err := strconv.Atoi(s.arg); err == nil {
			moveRow(form, list, at, to)
		}
	case s.verb == "insert":
		reindex(form, list, roomAt(at))
		newRow(form, s.name, s.arg)
	case s.verb == "copy":
		copyRow(form, list, at)
	}
}

// add puts an empty row behind the others. A row of blocks knows its type.
func (s *formStep) add(form url.Values) {
	next := 0
	for name := range form {
		if rest, ok := strings.CutPrefix(name, s.name+"."); ok {
			index, _, _ := strings.Cut(rest, ".")
			if n, err := strconv.Atoi(index); err == nil {
				next = max(next, n+1)
			}
		}
	}
	newRow(form, s.name+"."+strconv.Itoa(next), s.arg)
}

func newRow(form url.Values, row, kind string) {
	if form.Set(row+"._new", "true"); kind != "" {
		form.Set(row+".type", kind)
	}
}

// moveRow puts a row in another place; those between make room.
func moveRow(form url.Values, list string, from, to int) {
	if from < 0 || to < 0 {
		return
	}
	reindex(form, list, func(i int) int {
		switch {
		case i == from:
			return to
		case from < i && i <= to:
			return i - 1
		case to <= i && i < from:
			return i + 1
		}
		return i
	})
}

// copyRow puts a copy of a row behind it.
func copyRow(form url.Values, list string, at int) {
	reindex(form, list, roomAt(at+1))
	row, next := list+"."+strconv.Itoa(at), list+"."+strconv.Itoa(at+1)
	for name, v := range maps.Clone(form) {
		if within(name, row) {
			form[next+name[len(row):]] = slices.Clone(v)
		}
	}
}

// roomAt moves rows from a place on by one.
func roomAt(at int) func(int) int {
	return func(i int) int {
		if i >= at {
			return i + 1
		}
		return i
	}
}

// reindex gives every row of a list the index that next says.
func reindex(form url.Values, list string, next func(index int) int) {
	renameRows(form, func(name string) (string, bool) {
		rest, ok := strings.CutPrefix(name, list+".")
		index, inner, deeper := strings.Cut(rest, ".")
		i, err := strconv.Atoi(index)
		if !ok || !deeper || err != nil || i < 0 {
			return name, true
		}
		return list + "." + strconv.Itoa(next(i)) + "." + inner, true
	})
}

// renameRows gives every input the name that next says, and forgets those it does not keep.
func renameRows(form url.Values, next func(name string) (string, bool)) {
	renamed := url.Values{}
	for name, v := range form {
		if name, keep := next(name); keep {
			renamed[name] = v
		}
	}
	clear(form)
	for name, v := range renamed {
		form[name] = v
	}
}

// moveValue changes places with the next value in a direction that is not empty.
func moveValue(values []string, value string, by int) {
	at := slices.Index(values, value)
	for to := at + by; at >= 0 && to >= 0 && to < len(values); to += by {
		if values[to] != "" {
			values[at], values[to] = values[to], values[at]
			return
		}
	}
}

// within reports whether an input belongs to a row.
func within(name, row string) bool { return strings.HasPrefix(name, row+".") }

func cutLast(name string) (before, last string, ok bool) {
	i := strings.LastIndex(name, ".")
	if i < 0 {
		return "", name, false
	}
	return name[:i], name[i+1:], true
}

// withRows makes a field of rows that can be added, removed and moved. one is what a row is called;
// add are the kinds of rows, by the arguments of the step.
func withRows(field Field, rows []Field, one string, add ...Option) Field {
	field.Kind = "rows"
	for i := range rows {
		row := &rows[i]
		row.Kind, row.Kept = "group", true
		beside := func(i int) string { return field.Name + "." + strconv.Itoa(i) }
		if i > 0 {
			row.Buttons = append(row.Buttons, Button{Text: "↑", Label: "Move up: " + row.Label,
				Do: "up " + row.Name, To: beside(i - 1)})
		}
		if i < len(rows)-1 {
			row.Buttons = append(row.Buttons, Button{Text: "↓", Label: "Move down: " + row.Label,
				Do: "down " + row.Name, To: beside(i + 1)})
		}
		row.Buttons = append(row.Buttons, Button{Text: "Remove", Label: "Remove: " + row.Label,
			Do: "remove " + row.Name, To: field.Name})
	}
	field.Fields = rows
	next := field.Name + "." + strconv.Itoa(len(rows))
	for _, kind := range add {
		text := strings.TrimSpace("Add " + one + " " + kind.Label)
		field.Buttons = append(field.Buttons,
			Button{Text: text, Do: strings.TrimSpace("add " + field.Name + " " + kind.Value), To: next})
	}
	return field
}
