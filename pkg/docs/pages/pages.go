package pages

import (
	"bytes"
	"context"
	_ "embed"
	"html/template"
	"log/slog"
	"net/http"
	"strings"
	"sync"

	"headless/pkg/docs"
	"headless/pkg/markdown"
	"headless/pkg/web"
)

// Base is the path of the guides.
const Base = "/docs"

// policy is the Content-Security-Policy of the pages: they have one style sheet and no script.
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; " +
	"frame-ancestors 'none'"

//go:embed style.css
var style []byte

//go:embed page.html
var source string

var layout = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(source)) })

// Site serves the guides. It is safe for concurrent use.
type Site struct {
	HTML markdown.HTML
	URL  string // of the service
	Log  *slog.Logger

	made sync.Map // HTML of guides by name
}

// view is the data of the template.
type view struct {
	Title, Query, Version string
	Current               string // name of the guide
	Language              string // of the guide; "" for English
	Groups                []group
	Body                  template.HTML
	Found                 []section
	IsSearch              bool
}

// Handler serves the guides, and sends other requests to next.
func (s *Site) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		if path != Base && !strings.HasPrefix(path, Base+"/") && path != "/llms.txt" && path != "/llms-full.txt" {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("X-Request-Id", web.RequestID(r))
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "public, max-age=300")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			s.sendContent(w, r, http.StatusMethodNotAllowed, "text/plain; charset=utf-8", []byte("Send GET.\n"))
			return
		}
		switch name, isText := strings.CutSuffix(strings.TrimPrefix(path, Base+"/"), ".md"); {
		case path == "/llms.txt":
			s.sendContent(w, r, http.StatusOK, "text/plain; charset=utf-8", []byte(llms(s.URL)))
		case path == "/llms-full.txt":
			s.sendContent(w, r, http.StatusOK, "text/plain; charset=utf-8", []byte(llmsFull()))
		case name == "style.css":
			s.sendContent(w, r, http.StatusOK, "text/css; charset=utf-8", style)
		case isText && docs.Text(name) != "":
			s.sendContent(w, r, http.StatusOK, "text/markdown; charset=utf-8", []byte(asMarkdown(docs.Text(name))))
		default:
			s.show(w, r, strings.Trim(strings.TrimPrefix(path, Base), "/"))
		}
	})
}

// show answers with the page of a guide, with the index or with the results of a search.
func (s *Site) show(w http.ResponseWriter, r *http.Request, name string) {
	v := view{Title: "Guides", Current: name, Groups: groups(), Version: web.Version()}
	status, shown := http.StatusOK, guideOf(name)
	var err error
	switch q := strings.TrimSpace(r.URL.Query().Get("q")); {
	case name == "search":
		v.Title, v.Query, v.IsSearch = "Search", q, true
		if q != "" {
			v.Found, err = s.search(r.Context(), q)
		}
	case name == "":
		v.Body, err = s.Page(r.Context(), index)
	case shown.text == "":
		status, v.Title = http.StatusNotFound, "Not found"
		v.Body = "<h1>Not found</h1><p>There is no guide at this address.</p>"
	default:
		v.Title = shown.Title
		_, v.Language, _ = strings.Cut(name, ".")
		v.Body, err = s.Page(r.Context(), name)
	}
	var page bytes.Buffer
	if err == nil {
		err = layout().Execute(&page, v)
	}
	if err != nil {
		s.Log.Error("guides", "request_id", web.RequestID(r), "error", err.Error())
		s.sendContent(w, r, http.StatusServiceUnavailable, "text/plain; charset=utf-8",
			[]byte("The page cannot be made now. Read "+Base+"/<name>.md instead.\n"))
		return
	}
	w.Header().Set("Content-Security-Policy", policy)
	s.sendContent(w, r, status, "text/html; charset=utf-8", page.Bytes())
}

// Page returns the sanitised HTML of a guide, which begins with its title.
func (s *Site) Page(ctx context.Context, name string) (template.HTML, error) {
	if made, ok := s.made.Load(name); ok {
		return made.(template.HTML), nil
	}
	text := docs.Text(name)
	if name == index {
		text = servedIndex()
	}
	text = withPageLinks(text)
	pictures := map[string]markdown.Picture{}
	for _, m := range shownPicture().FindAllStringSubmatch(text, -1) {
		pictures[m[1]] = markdown.Picture{Width: 1000, Height: 640} // as TestPictures makes them
	}
	texts, err := s.HTML(ctx, []markdown.Text{{Pieces: []string{text}, Pictures: pictures}})
	if err != nil {
		return "", err
	}
	page := template.HTML(texts[0][0])
	if strings.HasPrefix(string(page), "<h1") { // else making it took too long
		s.made.Store(name, page)
	}
	return page, nil
}

func (s *Site) sendContent(w http.ResponseWriter, r *http.Request, status int, contentType string, body []byte) {
	if status != http.StatusOK {
		w.Header().Set("Cache-Control", "no-store")
	}
	x := web.Exchange{W: w, R: r}
	x.Send(status, contentType, body)
}
