package admin

import (
	"html/template"
	"regexp"
	"strings"
	"sync"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/docs"
	"headless/pkg/web"
)

// helpRoutes returns the route of the guide for editors.
func helpRoutes() []frame.Route {
	title, text, _ := strings.Cut(strings.TrimPrefix(docs.Editors, "# "), "\n")
	rendered := sync.OnceValue(func() template.HTML { return guideHTML(text) }) // lazy
	return []frame.Route{{Method: "GET", Pattern: "/help", Role: cms.RoleViewer,
		Handle: func(c *frame.Call) (frame.Result, error) {
			tagged := template.HTML(strings.ReplaceAll(string(rendered()), ".webp\"",
				".webp?v="+c.A.Pages.Tag+"\"")) // browsers cache pictures that have the tag
			if v := web.Version(); v != "" {
				tagged += template.HTML("<p>Version " + template.HTMLEscapeString(v) + "</p>")
			}
			return frame.Result{Data: map[string]string{"guide": docs.Editors, "version": web.Version()},
				Page: &ui.Page{Title: title, Template: "help", Custom: tagged}}, nil
		}}}
}

// marks are the patterns of the markup inside a line: strong text, code, images and links. Links to
// other files are replaced by their text.
type marks struct{ strong, code, link, file, image, number *regexp.Regexp }

func newMarks() marks {
	return marks{
		strong: regexp.MustCompile(`\*\*([^*]+)\*\*`),
		code:   regexp.MustCompile("`([^`]+)`"),
		link:   regexp.MustCompile(`\[([^\]]+)\]\((/[^)]*)\)`),
		file:   regexp.MustCompile(`\[([^\]]+)\]\([^)]*\)`),
		image:  regexp.MustCompile(`!\[([^\]]+)\]\(\.\./admin/ui/(assets/[^)]*)\)`),
		number: regexp.MustCompile(`(?m)^\d+\. `),
	}
}

// guideHTML renders the subset of Markdown that docs.Editors uses: headings, paragraphs and lists, which are separated by empty lines. An indented
// line continues the list item above it.
func guideHTML(text string) template.HTML {
	var b strings.Builder
	m := newMarks()
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		block = strings.TrimSpace(block)
		switch {
		case strings.HasPrefix(block, "## "):
			b.WriteString("<h2>" + m.line(block[3:]) + "</h2>\n")
		case strings.HasPrefix(block, "- "):
			m.writeItems(&b, "ul", strings.Split(block[2:], "\n- "))
		case strings.HasPrefix(block, "1. "):
			m.writeItems(&b, "ol", m.number.Split(block, -1)[1:])
		default:
			b.WriteString("<p>" + m.line(block) + "</p>\n")
		}
	}
	return template.HTML(b.String()) // safe: line escapes all text
}

func (m marks) writeItems(b *strings.Builder, list string, items []string) {
	b.WriteString("<" + list + ">")
	for _, item := range items {
		b.WriteString("<li>" + m.line(strings.TrimSpace(item)) + "</li>")
	}
	b.WriteString("</" + list + ">\n")
}

func (m marks) line(s string) string {
	s = template.HTMLEscapeString(s)
	s = m.code.ReplaceAllString(s, "<code>$1</code>")
	s = m.strong.ReplaceAllString(s, "<strong>$1</strong>")
	s = m.image.ReplaceAllString(s,
		`<img src="/admin/$2" alt="$1" width="1000" height="640" loading="lazy">`)
	s = m.link.ReplaceAllString(s, `<a href="$2">$1</a>`)
	return m.file.ReplaceAllString(s, "$1")
}
