package admin

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"headless/pkg/cms"
)

//go:embed templates/*.html
var templateFiles embed.FS

//go:embed assets/*
var assetFiles embed.FS

// pages are the parsed templates, and the tags of the assets.
type pages struct {
	byName map[string]*template.Template
	tag    string // changes with the assets
}

// view is what the layout sees.
type view struct {
	*Page
	User   *cms.User
	CSRF   string
	Menu   []menuGroup
	Models []menuItem
	Here   string
	Tag    string
	Done   string // what the last change did
	ID     string
}

// parsePages parses every template on the layout. The files are part of the program: a broken one stops it at once.
func parsePages() *pages {
	layout := template.Must(template.New("layout.html").Funcs(template.FuncMap{
		"form":   func(f Field, action string) fieldView { return fieldView{f, action} },
		"button": func(b Button, action string) buttonView { return buttonView{b, action} },
		"choice": func(v Choice, action string) choiceView { return choiceView{v, action} },
		"table":  func(l *List, csrf string) listView { return listView{l, csrf} },
		"action": func(a Action, csrf string) actionView { return actionView{a, csrf} },
		"day":    day,
		"broken": broken,
		"lines":  func(list []string) string { return strings.Join(list, "\n") },
	}).ParseFS(templateFiles, "templates/layout.html", "templates/parts.html", "templates/icons.html"))
	p := &pages{byName: map[string]*template.Template{}}
	names, err := fs.Glob(templateFiles, "templates/*.html")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		base := strings.TrimSuffix(path.Base(name), ".html")
		if !slices.Contains([]string{"layout", "parts", "icons"}, base) {
			p.byName[base] = template.Must(template.Must(layout.Clone()).ParseFS(templateFiles, name))
		}
	}
	sum := sha256.New()
	for _, name := range []string{"app.css", "app.js", "icon.svg"} {
		body, err := assetFiles.ReadFile("assets/" + name)
		if err != nil {
			panic(err)
		}
		sum.Write(body)
	}
	p.tag = hex.EncodeToString(sum.Sum(nil)[:6])
	return p
}

// day shows a timestamp to people, in UTC and to the minute; the page has the rest in its title. Date and time stay whole where lines break.
func day(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return s
	}
	return t.UTC().Format("2\u00a0Jan\u00a02006, 15:04")
}

// broken is a text of a table with the places where its long words may go on in the next line; without them a browser would cut
// addresses anywhere, and narrow the column to do so.
func broken(s string) template.HTML {
	const whole, piece = 20, 24 // characters that stay together
	var b strings.Builder
	for word := range strings.SplitAfterSeq(s, " ") {
		runes, since := []rune(word), 0
		for i, r := range runes {
			b.WriteString(template.HTMLEscapeString(string(r)))
			since++
			if len(runes) > whole && i < len(runes)-1 && (since == piece || strings.ContainsRune("@./_:-=&?", r)) {
				b.WriteString("<wbr>")
				since = 0
			}
		}
	}
	return template.HTML(b.String()) // every character is escaped above
}

// fieldView, buttonView and choiceView know the address of their form, for the buttons that ask for a step.
type fieldView struct {
	Field
	Action string
}

type buttonView struct {
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

// HasActions tells whether the table needs a column of buttons.
func (v listView) HasActions() bool {
	return slices.ContainsFunc(v.Rows, func(r Row) bool { return len(r.Actions) > 0 })
}

type actionView struct {
	Action
	CSRF string
}

// template names the file that shows the page's content.
func (p *Page) template() string {
	switch {
	case p.Error != nil:
		return "error"
	case p.Login != nil:
		return "login"
	case p.List != nil:
		return "list"
	case p.Detail != nil:
		return "detail"
	case p.Form != nil:
		return "form"
	}
	return p.Template
}

// doneWords say what the last change did; only these can stand in an address.
func doneWords(ok string) string {
	switch ok {
	case "created":
		return "Created."
	case "saved":
		return "Saved."
	case "deleted":
		return "Deleted."
	case "restored":
		return "Restored."
	case "sent":
		return "On its way: the log below shows the answer in a moment."
	case "done":
		return "Done."
	}
	return ""
}

// render makes the whole page.
func (c *Call) render(page *Page) ([]byte, error) {
	t := c.a.pages.byName[page.template()]
	if t == nil {
		return nil, errors.New("admin: there is no template for the page " + page.Title)
	}
	v := view{Page: page, User: c.User, Here: c.R.URL.Path, Tag: c.a.pages.tag, ID: c.RequestID, Done: doneWords(c.R.URL.Query().Get("ok"))}
	if c.User != nil {
		v.CSRF = c.csrf()
		v.Menu, v.Models = c.menu(), c.modelMenu()
	}
	var buf bytes.Buffer
	if err := t.Execute(&buf, v); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

func (c *Call) menu() []menuGroup {
	var groups []menuGroup
	for _, g := range menu {
		group := menuGroup{Title: g.title}
		for _, item := range g.items {
			href := Base + strings.TrimSuffix(item[1], "{$}")
			here := c.R.URL.Path == href || item[1] != "/{$}" && strings.HasPrefix(c.R.URL.Path, href+"/") && !c.inEntries()
			group.Items = append(group.Items, menuItem{Link{item[0], href}, here})
		}
		groups = append(groups, group)
	}
	return groups
}

// modelMenu leads to the entries of each model.
func (c *Call) modelMenu() []menuItem {
	site := c.a.on.Store.CachedSite() // a menu may be a moment behind
	if site == nil {
		return nil
	}
	var items []menuItem
	for _, m := range sortedModels(site) {
		href := Base + "/models/" + m.Slug + "/entries"
		items = append(items, menuItem{Link{m.Name, href}, strings.HasPrefix(c.R.URL.Path+"/", href+"/")})
	}
	return items
}

func (c *Call) inEntries() bool {
	_, rest, ok := strings.Cut(strings.TrimPrefix(c.R.URL.Path, Base+"/models/"), "/")
	return ok && (rest == "entries" || strings.HasPrefix(rest, "entries/"))
}

// asset sends a file of the pages; its address changes with its content.
func (a *Admin) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	body, err := assetFiles.ReadFile("assets/" + name)
	if err != nil {
		a.newCall(w, r).finish(Result{}, nothingHere())
		return
	}
	h := w.Header()
	h.Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", a.csp)
	h.Set("Cache-Control", "no-cache")
	if r.URL.Query().Get("v") == a.pages.tag {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	_, _ = w.Write(body) // the client is gone: nobody to tell
}
