package ui

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"headless/pkg/admin/say"
	"headless/pkg/cms"
)

//go:embed templates/*.html templates/icons.txt
var TemplateFiles embed.FS

// Pages holds the parsed templates, and the tag of the assets.
type Pages struct {
	Tag string // changes when an asset changes

	mu     sync.Mutex
	byName map[string]*template.Template // parsed at the first use, so that a start is fast
	parts  func() map[string]string
}

// NewPages returns Pages without parsing a template.
func NewPages() *Pages {
	return &Pages{Tag: assetTag(), byName: map[string]*template.Template{}, parts: sync.OnceValue(sharedParts)}
}

// Frames of a page: with the menu, or alone if nobody is signed in.
const (
	SignedIn = "signedin"
	Alone    = "alone"
)

// Page returns a template in its frame and in a language. It is parsed at the first use, with only the
// shared parts that it uses. The files are part of the program, so a test finds a broken one.
func (p *Pages) Page(name, frame string, in *say.Language) (*template.Template, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := in.Code + "/" + frame + "/" + name
	if t := p.byName[key]; t != nil {
		return t, nil
	}
	t, err := p.parse(in, "layout", frame, name)
	if err == nil {
		p.byName[key] = t
	}
	return t, err
}

// Part returns a part of the template of a page alone, for a script that shows it in that page.
func (p *Pages) Part(name, part string, in *say.Language, data any) ([]byte, error) {
	t, err := p.Page(name, SignedIn, in)
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	err = t.ExecuteTemplate(&buf, part, data)
	return buf.Bytes(), err
}

// parse parses the given files and the shared parts that they use. The first file is the template
// to execute.
func (p *Pages) parse(in *say.Language, files ...string) (*template.Template, error) {
	t := template.New(files[0]).Funcs(helpers).Funcs(template.FuncMap{"say": in.Any, "day": in.Day,
		"known":    func(v any) say.Text { return say.Known(fmt.Sprint(v)) },
		"date":     func(t time.Time) string { return in.Say(say.ShortDate(t)) },
		"broken":   func(v any) template.HTML { return broken(fmt.Sprint(in.Any(v))) },
		"initials": func(v any) string { return initials(fmt.Sprint(in.Any(v))) }})
	var texts []string
	for _, file := range files {
		text, err := TemplateFiles.ReadFile("templates/" + file + ".html")
		if err != nil {
			return nil, err
		}
		texts = append(texts, string(text))
	}
	taken := map[string]bool{}
	for i := 0; i < len(texts); i++ { // a part may use other parts
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
	for _, part := range t.Templates() {
		in.Template(part.Tree)
	}
	return t, nil
}

// sharedParts returns the templates that pages share, by name. Each definition starts a line.
func sharedParts() map[string]string {
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

// quotedAfter returns the text after each opening, up to the next quote.
func quotedAfter(text, opening string) (names []string) {
	for _, rest := range strings.Split(text, opening)[1:] {
		name, _, _ := strings.Cut(rest, `"`)
		names = append(names, name)
	}
	return names
}

// helpers are the functions that templates call.
var helpers = template.FuncMap{
	"problems": func(p cms.Problems) []say.Text {
		return ProblemLines(p, MaxProblems, func(path string) say.Text { return cmp.Or(FieldLabels[path], say.Data(path)) })
	},
	"form":   func(f Field, action string) fieldView { return fieldView{f, action} },
	"due":    Due,
	"button": func(b Button, action string) ButtonView { return ButtonView{b, action} },
	"choice": func(v Choice, action string) choiceView { return choiceView{v, action} },
	"table":  func(l *List, name say.Text, csrf string) listView { return listView{l, name, csrf} },
	"remark": func(item any, at, csrf string) remarkView { return remarkView{item, at, csrf} },
	"views":  func(b *ViewBar, csrf string) viewsView { return viewsView{b, csrf} },
	"sent":   func(f *Form, csrf string) sentView { return sentView{f, csrf} },
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
	"locale":   func(t LocaleTab, csrf string) localeView { return localeView{t, csrf} },
	"icon":     icon,
	"comma":    func() say.Text { return say.Comma },
	"initials": initials,
	"actions":  func(list []Action, csrf string) actionsView { return actionsView{list, csrf} },
	"pieces":   Pieces,
	"named":    PersonName,
	"prose":    func(text string) []DiffPart { return []DiffPart{{Kind: "same", Text: text}} },
	"lines":    func(list []string) string { return strings.Join(list, "\n") },
}

// initials returns the first letters of the first and the last word of a name.
func initials(name string) (letters string) {
	words := strings.Fields(name)
	if len(words) > 2 {
		words = slices.Delete(words, 1, len(words)-1)
	}
	for _, word := range words {
		first, _ := utf8.DecodeRuneInString(word)
		letters += string(unicode.ToUpper(first))
	}
	return letters
}

// icons returns the SVG shapes of each icon in icons.txt, by name.
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

// icon returns an icon as SVG. An unknown name gives an empty tray.
func icon(name string) template.HTML {
	shapes, ok := icons()[name]
	if !ok {
		shapes = icons()["empty"]
	}
	class := "icon"
	if name == "Redirects" {
		class += " points" // mirrored in pages from right to left
	}
	return template.HTML(`<svg class="` + class + `" viewBox="0 0 24 24" aria-hidden="true" focusable="false">` +
		shapes + `</svg>`) // safe: from a file of the program
}
