package ui

// LocaleTab is the place of a locale among the translations of an entry. ID is "" where the
// translation is missing.
type LocaleTab struct {
	Code, Name, ID  string
	State           Cell
	Here            bool
	Href, Translate string
	Beside          string // address of the page with this translation beside it, "" for none
}

// Original is what the other entry holds in one field. Changed says that Parts compare it with what
// it was when the translation was saved last.
type Original struct {
	Label, Lang, Dir string
	Parts            []DiffPart
	Cells            []Cell
	Changed          bool
	Use              *ButtonView
}
