package frame

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/ui"
	"headless/pkg/cms"
)

// stepKey is the name of buttons that ask for a step.
const stepKey = "_do"

// FormStep is a change to a form that a button asks for before the form is saved: add or move a
// row, or open the list of choices. The form is shown again with the typed values, and nothing is
// saved. This works without scripts; app.js only puts the new form into the page.
type FormStep struct {
	// Verb is add, insert, copy, remove, move, put, up or down for rows and values; pick, find or done
	// for choices (see package pickers); retype to show the rules of a field type; more to show an
	// input of a row or form that leaves it out while it is empty; fill to copy texts (see
	// entrypages); or one of the constants below.
	Verb string
	Name string // the field or row: "fields", "fields.3"
	Arg  string // what to add, which value to move, the target row, the page or input to show
}

// ReadStep returns the step that a form asks for, nil for none.
func ReadStep(form url.Values) *FormStep {
	text := form.Get(stepKey)
	if text == "" {
		return nil
	}
	verb, rest, _ := strings.Cut(text, " ")
	name, arg, _ := strings.Cut(rest, " ")
	return &FormStep{verb, name, arg}
}

// Steps that change no rows: StepResume shows a form again as it was sent. StepKeep and StepTake
// resolve a conflict in a field that two people changed.
const (
	StepResume = "resume"
	StepKeep   = "keep"
	StepTake   = "take"
	StepSlug   = "slug" // makes a new slug from the title
)

// answerStep answers a step: the form is changed and shown again.
func (c *Call) answerStep(route Route) (Result, error) {
	if route.Form == nil {
		if c.Step.Verb == StepResume {
			c.Form.Del(stepKey)
			page := c.keepTyped(&ui.Page{Title: "Signed in again", Error: &cms.Error{}})
			if page.Form != nil {
				return Result{Page: page}, nil
			}
		}
		return Result{}, cms.Errorf(cms.CodeBadRequest, "There is no form here that takes this step.")
	}
	c.Step.rearrange(c.Form)
	page, err := route.Form(c)
	if err != nil {
		return Result{}, err
	}
	page.Form.Refill(c.Form, nil)
	if c.Step.Verb == "retype" { // the new type has no inputs for the rules of the former one
		page.Form.Fields = slices.DeleteFunc(page.Form.Fields,
			func(f ui.Field) bool { return ui.Within(f.Name, c.Step.Name) })
	}
	if c.Step.Verb == StepResume {
		page.Notice = "You are signed in again. What you typed is below and not saved yet."
	}
	if c.Step.Opens(c.Step.Name) {
		page.Form.Enter = "find " + c.Step.Name
	}
	return Result{Page: page}, nil
}

// rearrange changes the rows in the posted form, or the order of the values of a field.
func (s *FormStep) rearrange(form url.Values) {
	list, index := ui.CutLast(s.Name)
	at, err := strconv.Atoi(index)
	switch {
	case s.Verb == "add":
		s.addRow(form)
	case s.Verb == "up" && s.Arg != "":
		ui.MoveValue(form[s.Name], s.Arg, -1)
	case s.Verb == "down" && s.Arg != "":
		ui.MoveValue(form[s.Name], s.Arg, 1)
	case s.Verb == "more":
		form.Set(s.Name+"."+s.Arg, "")
	case err != nil:
	case s.Verb == "remove":
		ui.RenameRows(form, func(name string) (string, bool) { return name, !ui.Within(name, s.Name) })
	case s.Verb == "up":
		ui.MoveRow(form, list, at, at-1)
	case s.Verb == "down":
		ui.MoveRow(form, list, at, at+1)
	case s.Verb == "move":
		if to, err := strconv.Atoi(s.Arg); err == nil {
			ui.MoveRow(form, list, at, to)
		}
	case s.Verb == "put":
		ui.PutRow(form, s.Name, s.Arg)
	case s.Verb == "insert":
		ui.Reindex(form, list, ui.RoomAt(at))
		ui.NewRow(form, s.Name, s.Arg)
	case s.Verb == "copy":
		ui.CopyRow(form, list, at)
	}
}

// addRow appends an empty row. A row of blocks also gets its type.
func (s *FormStep) addRow(form url.Values) {
	before, _, _ := strings.Cut(form.Get(s.Name+"._rows"), " ")
	next, _ := strconv.Atoi(before) // 0 for a list that is shown as a whole
	for name := range form {
		if rest, ok := strings.CutPrefix(name, s.Name+"."); ok {
			index, _, _ := strings.Cut(rest, ".")
			if n, err := strconv.Atoi(index); err == nil {
				next = max(next, n+1)
			}
		}
	}
	ui.NewRow(form, s.Name+"."+strconv.Itoa(next), s.Arg)
}

// Opens reports whether a step opens the choices of a field.
func (s *FormStep) Opens(name string) bool {
	return s != nil && (s.Verb == "pick" || s.Verb == "find") && s.Name == name
}
