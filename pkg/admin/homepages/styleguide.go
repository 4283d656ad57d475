package homepages

import (
	"time"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
)

// StyleGuideRoutes returns the route of the page that shows every component in every state, for who
// builds pages of the admin area.
func StyleGuideRoutes() []frame.Route {
	return []frame.Route{{Method: "GET", Pattern: "/styleguide", Role: cms.RoleUserAdmin, Handle: styleGuide}}
}

// styleSamples is the data of the template styleguide.
type styleSamples struct {
	Tokens  []ui.Token
	Badges  []ui.Cell
	Chips   []ui.Chip
	Actions []ui.Action
	Facts   []ui.Fact
	Form    *ui.Form
	Full    *ui.List
	Empty   *ui.List
}

func styleGuide(*frame.Call) (frame.Result, error) {
	tokens, somebody := ui.Tokens(), "Ada Lovelace"
	at := cms.At(time.Date(2025, time.March, 1, 9, 30, 0, 0, time.UTC))
	state := []ui.Cell{{Text: "published", Kind: "good"}, {Text: "changed", Kind: "warn"},
		{Text: "failed", Kind: "bad"}, {Text: "archived", Kind: "grey"}, ui.Badge("draft")}
	page := &ui.Page{Title: "Style guide", Template: "styleguide", Notice: "A message about the last change.",
		Next: []ui.Action{{Label: "Undo", Href: "#"}}}
	page.Use("tools")
	page.Use("entry") // for conflicts
	page.Use("styleguide")
	page.Custom = styleSamples{Tokens: tokens, Badges: state,
		Chips: []ui.Chip{{Text: "Author: Ada Lovelace", Href: "#"}, {Text: "Topic: light", Href: "#"}},
		Actions: []ui.Action{{Label: "A link", Href: "#"}, {Label: "Dangerous", Href: "#", Danger: true},
			{Label: "Asks first", Href: "#", Method: "GET", Confirm: "Really?", Danger: true}},
		Facts: []ui.Fact{ui.NewFact("Text", ui.Word("House"), ui.Cell{Text: "A link", Href: "#"}),
			ui.NewFact("Time", ui.When(at)), {Label: "Nothing"},
			ui.NewFact("Who", frame.People{}.Cell(&somebody)),
			{Label: "Code", Pre: "curl localhost", Code: true, Copy: "curl localhost"},
			ui.NewFact("States", ui.Cell{Marks: []ui.Cell{styleMark("en", state[0]), styleMark("de", state[1]),
				styleMark("ar", state[3]), styleMark("fr", ui.Word("missing"))}})},
		Form: &ui.Form{Submit: "Save", Fields: styleFields()},
		Full: &ui.List{
			Tabs: []ui.Tab{{Text: "All", Href: "#", Count: "4", Here: true}, {Text: "Drafts", Href: "#", Count: "1"},
				{Text: "Published", Href: "#", Count: "3"}},
			Bulk:    &ui.Bulk{Buttons: []ui.BulkButton{{Label: "Publish"}, {Label: "Delete", Danger: true}}},
			Columns: []say.Text{"Title", "State", "Changed"}, Range: "1–2 of 4", Next: "#",
			Heads: []ui.Head{{Title: "Title", Href: "#", Order: "ascending"}},
			Rows: []ui.Row{{ID: "house", Href: "#", Cells: []ui.Cell{ui.Word("House"), state[0], ui.When(at)}},
				{ID: "garden", Href: "#", Here: true, Cells: []ui.Cell{ui.Word("Garden"), state[1], ui.When(at)}}}},
		Empty: &ui.List{Empty: "Nothing is here yet.", Create: &ui.Link{Text: "New entry", Href: "#"}}}
	return frame.Result{Data: map[string]any{"tokens": tokens}, Page: page}, nil
}

// styleMark returns the mark of a language with a state.
func styleMark(code string, state ui.Cell) ui.Cell {
	return ui.Cell{Text: say.Data(code), Hint: state.Text, Kind: state.Kind}
}

// styleFields returns a field of each kind, and one in each state.
func styleFields() []ui.Field {
	options := []ui.Option{{Value: "a", Label: "House"}, {Value: "b", Label: "Garden"}}
	files := ui.Field{Name: "files", Label: "Files", Kind: "pick",
		Pick: &ui.Pick{Many: true, Open: "Choose a file", Source: ui.Base + "/media",
			Makes: []string{cms.AreaMedia}, Few: []ui.Choice{{Label: "Garden", Name: "files", Many: true}}}}
	files.Pick.Chosen = []ui.Choice{files.Chosen(ui.Choice{ID: "house", Label: "House", Href: "#"})}
	return []ui.Field{
		{Name: "text", Label: "Text", Value: "House", Required: true, Help: "A hint below the field."},
		{Name: "wrong", Label: "With a problem", Value: "?", Errors: []say.Text{"must be a word"}},
		{Name: "fixed", Label: "Read only", Value: "house", ReadOnly: true},
		{Name: "long", Label: "Long text", Kind: "textarea"}, {Name: "day", Label: "Date", Kind: "date"},
		{Name: "one", Label: "One of several", Kind: "select", Options: options},
		{Name: "many", Label: "Several", Kind: "checks", Options: options, Values: []string{"a"}},
		{Name: "flag", Label: "Yes or no", Kind: "checkbox", Value: "true"},
		{Name: "group", Label: "Group", Kind: "group", Fields: []ui.Field{{Name: "row", Kind: "row", Fields: []ui.Field{
			{Name: "left", Label: "Left"}, {Name: "right", Label: "Right"}}}}},
		ui.WithRows(ui.Field{Name: "blocks", Label: "Blocks", Menu: "Add"}, []ui.Field{
			{Name: "blocks.0", Label: "House", Fields: []ui.Field{{Name: "blocks.0.text", Label: "Text"}}},
			{Name: "blocks.1", Label: "Garden", Fields: []ui.Field{{Name: "blocks.1.text", Label: "Text"}}}},
			"", ui.Option{Label: "House"}, ui.Option{Label: "Garden"}),
		files,
		{Name: "both", Label: "Title", Value: "House", Conflict: &ui.Conflict{Who: "Somebody else",
			Parts: ui.TextDiff("House by the lake", "House by the sea"),
			Keep:  ui.ButtonView{Button: ui.Button{Text: "Keep mine"}},
			Take:  ui.ButtonView{Button: ui.Button{Text: "Take theirs"}}}},
		{Name: "more", Label: "More", Kind: "more", Fields: []ui.Field{{Name: "hidden_text", Label: "Rarely used"}}},
	}
}
