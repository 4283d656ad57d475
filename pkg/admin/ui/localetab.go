package ui

import "headless/pkg/admin/say"

// FewLocales is how many missing translations of an entry are shown one by one.
const FewLocales = 8

// LocaleTab is one locale in the list of translations of an entry. ID is "" if the translation is
// missing. A tab with Missing stands for these locales.
type LocaleTab struct {
	Code, Name, ID  string
	State           Cell
	Here            bool
	Href, Translate string
	Beside          string // URL of the page with this translation beside the form, "" for none
	Outdated        bool
	Right           string // URL that says that it is not outdated in truth, "" for none
	Missing         []LocaleTab
}

// Original is the value of a field in the entry beside the form. If Changed is set, Parts shows how
// the value changed after the translation was last saved.
type Original struct {
	Label     say.Text
	Lang, Dir string
	Parts     []DiffPart
	Cells     []Cell
	Changed   bool
	Use       *ButtonView
}
