package ui

import (
	"embed"
	"fmt"
	"html/template"
	"strings"
	"sync"
)

//go:embed templates/*.html templates/icons.txt
var TemplateFiles embed.FS

// Pages are the templates, and the tag of the assets.
type Pages struct {
	Tag string // changes with the assets

	mu     sync.Mutex
	byFile map[string]*template.Template // those that were asked for; to parse all takes a start long
	parts  func() map[string]string
}

// NewPages parses nothing yet.
func NewPages() *Pages {
	return &Pages{Tag: assetTag(), byFile: map[string]*template.Template{}, parts: sync.OnceValue(parts)}
}

// Frames are what a page stands in: with the menu, or alone where nobody is signed in.
const (
	SignedIn = "signedin"
	Alone    = "alone"
)

// Page parses a template in its frame when it is asked for first, with the parts that it uses and
// no others. The files are part of the program: a broken one fails a test.
func (p *Pages) Page(name, frame string) (*template.Template, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := frame + "/" + name
	if t := p.byFile[key]; t != nil {
		return t, nil
	}
	t, err := p.parse("layout", frame, name)
	if err == nil {
		p.byFile[key] = t
	}
	return t, err
}

// parse reads files, the first of which is executed, and then the parts that they name.
func (p *Pages) parse(files ...string) (*template.Template, error) {
	t := template.New(files[0]).Funcs(helpers)
	var texts []string
	for _, file := range files {
		text, err := TemplateFiles.ReadFile("templates/" + file + ".html")
		if err != nil {
			return nil, err
		}
		texts = append(texts, string(text))
	}
	taken := map[string]bool{}
	for i := 0; i < len(texts); i++ { // a part may name others
		if _, err := t.Parse(texts[i]); err != nil {
			return nil, err
		}
		for _, name := range quotedAfter(texts[i], `{{template "`) {
			if part, ok := p.parts()[name]; ok && !taken[name] {
				taken[name] = true
				texts = append(texts, part)
			}
		}
	}
	return t, nil
}

// parts are the templates that pages share, by name. Each begins a line with its definition.
func parts() map[string]string {
	const begin = `{{define "`
	all := map[string]string{}
	for _, file := range []string{"parts", "entryparts"} {
		text, err := TemplateFiles.ReadFile("templates/" + file + ".html")
		if err != nil {
			panic(err)
		}
		for _, part := range strings.Split("\n"+string(text), "\n"+begin)[1:] {
			name, _, _ := strings.Cut(part, `"`)
			all[name] = begin + part
		}
	}
	return all
}

// quotedAfter returns the names that follow an opening, up to the next quote.
func quotedAfter(text, opening string) (names []string) {
	for _, rest := range strings.Split(text, opening)[1:] {
		name, _, _ := strings.Cut(rest, `"`)
		names = append(names, name)
	}
	return names
}

// helpers are what templates call.
var helpers = template.FuncMap{
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
	"icon":   icon,
	"lines":  func(list []string) string { return strings.Join(list, "\n") },
}

// icons are the lines of icons.txt: the name of an icon and what it draws.
var icons = sync.OnceValue(func() map[string]string {
	text, err := TemplateFiles.ReadFile("templates/icons.txt")
	if err != nil {
		panic(err)
	}
	all := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, shapes, _ := strings.Cut(strings.TrimSpace(line), ": ")
		all[name] = shapes
	}
	return all
})

// icon draws an icon; a name that has none gets an empty tray.
func icon(name string) template.HTML {
	shapes, ok := icons()[name]
	if !ok {
		shapes = icons()["empty"]
	}
	return template.HTML(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">` +
		shapes + `</svg>`) // from a file of the program
}
