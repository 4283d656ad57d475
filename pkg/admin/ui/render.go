package ui

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"headless/pkg/cms"
)

// MenuGroup is a titled part of the menu.
type MenuGroup struct {
	Title string
	Items []MenuItem
}

// MenuItem is a line of the menu, or a tab of a page.
type MenuItem struct {
	Link
	Icon  string
	Here  bool
	Count int    // what waits there, shown where it is not 0
	New   string // where to make another one, "" where the user may not
}

//go:embed templates/*.html
var TemplateFiles embed.FS

//go:embed assets/*
var AssetFiles embed.FS

// Pages are the templates, and the tags of the assets.
type Pages struct {
	layout func() *template.Template
	Tag    string // changes with the assets

	mu     sync.Mutex
	byName map[string]*template.Template // those that were asked for; to parse all takes a start long
}

// View is what the layout sees.
type View struct {
	*Page
	User  *cms.User
	CSRF  string
	Menu  []MenuGroup
	Here  string
	Tag   string
	Done  string // what the last change did
	ID    string
	Media string // origin of the files of the library, where it is another one
}

// Page parses a template on the layout when it is asked for first. The files are part of the
// program: a broken one fails a test.
func (p *Pages) Page(name string) (*template.Template, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.byName[name]; t != nil {
		return t, nil
	}
	t, err := p.layout().Clone()
	if err != nil {
		return nil, err
	}
	if t, err = t.ParseFS(TemplateFiles, "templates/"+name+".html"); err == nil {
		p.byName[name] = t
	}
	return t, err
}

// parseLayout parses the templates that pages share.
func parseLayout() *template.Template {
	return template.Must(template.New("layout.html").Funcs(template.FuncMap{
		"form":   func(f Field, action string) fieldView { return fieldView{f, action} },
		"button": func(b Button, action string) ButtonView { return ButtonView{b, action} },
		"choice": func(v Choice, action string) choiceView { return choiceView{v, action} },
		"table":  func(l *List, csrf string) listView { return listView{l, csrf} },
		"views":  func(b *ViewBar, csrf string) viewsView { return viewsView{b, csrf} },
		"bulk":   func(b *Bulk, csrf string) bulkView { return bulkView{b, csrf} },
		"action": func(a any, csrf string) (actionView, error) {
			switch a := a.(type) {
			case Action:
				return actionView{a, csrf}, nil
			case *Action:
				return actionView{*a, csrf}, nil
			}
			return actionView{}, fmt.Errorf("admin: %T is no action", a)
		},
		"locale": func(t LocaleTab, csrf string) localeView { return localeView{t, csrf} },
		"day":    Day,
		"broken": broken,
		"lines":  func(list []string) string { return strings.Join(list, "\n") },
	}).ParseFS(TemplateFiles, "templates/layout.html", "templates/parts.html",
		"templates/entryparts.html", "templates/icons.html"))
}

// NewPages parses nothing yet.
func NewPages() *Pages {
	p := &Pages{layout: sync.OnceValue(parseLayout), byName: map[string]*template.Template{}}
	sum := sha256.New()
	assets, err := fs.Glob(AssetFiles, "assets/*")
	if err != nil {
		panic(err)
	}
	for _, name := range assets {
		body, err := AssetFiles.ReadFile(name)
		if err != nil {
			panic(err)
		}
		sum.Write(body)
	}
	p.Tag = hex.EncodeToString(sum.Sum(nil)[:6])
	return p
}

// Day shows a timestamp to people, in UTC and to the minute; the page has the rest in its title and
// pages.js shows it in the reader's zone. Date and time stay whole where lines break.
func Day(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return s
	}
	return t.UTC().Format("2\u00a0Jan\u00a02006, 15:04\u00a0UTC")
}

// broken is a text of a table with the places where its long words may go on in the next line;
// without them a browser would cut addresses anywhere, and narrow the column to do so.
func broken(s string) template.HTML {
	const whole, piece = 20, 24 // characters that stay together
	var b strings.Builder
	for word := range strings.SplitAfterSeq(s, " ") {
		runes, since := []rune(word), 0
		for i, r := range runes {
			b.WriteString(template.HTMLEscapeString(string(r)))
			since++
			if len(runes) > whole && i < len(runes)-1 &&
				(since == piece || strings.ContainsRune("@./_:-=&?", r)) {
				b.WriteString("<wbr>")
				since = 0
			}
		}
	}
	return template.HTML(b.String()) // every character is escaped above
}

// fieldView, buttonView and choiceView know the address of their form, for the buttons that ask for
// a step.
type fieldView struct {
	Field
	Action string
}

// ButtonView is a button with the address of its form.
type ButtonView struct {
	Button
	Action string
}

type choiceView struct {
	Choice
	Action string
}

type listView struct {
	*List
	CSRF string
}

// HasActions reports whether the table needs a column of buttons.
func (v listView) HasActions() bool {
	return slices.ContainsFunc(v.Rows, func(r Row) bool { return len(r.Actions) > 0 })
}

type localeView struct {
	LocaleTab
	CSRF string
}

type actionView struct {
	Action
	CSRF string
}

// File names the file that shows the page's content.
func (p *Page) File() string {
	switch {
	case p.Error != nil:
		return "error"
	case p.Template != "":
		return p.Template
	case p.Login != nil:
		return "login"
	case p.List != nil:
		return "list"
	case p.Detail != nil:
		return "detail"
	case p.Form != nil:
		return "form"
	}
	return ""
}

// DoneWords say what the last change did; only these can stand in an address.
func DoneWords(ok string) string {
	switch ok {
	case "created":
		return "Created."
	case "saved":
		return "Saved."
	case "deleted":
		return "Deleted."
	case "trashed":
		return "Deleted: the entry is in the trash."
	case "published":
		return "Published: everybody can read it."
	case "unpublished":
		return "Unpublished: readers do not find it any more."
	case "drafted":
		return "Restored as a draft: publish it to show it."
	case "restored":
		return "Restored."
	case "sent":
		return "On its way: the log below shows the answer in a moment."
	case "done":
		return "Done."
	case "some":
		return "Some could not be changed."
	case "none":
		return "Nothing was selected."
	}
	return ""
}

type bulkView struct {
	*Bulk
	CSRF string
}
