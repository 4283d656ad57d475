package admin

import (
	_ "embed"
	"html/template"
	"regexp"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
)

// guide is the guide for editors, in the Markdown that guideHTML knows.
//
//go:embed README.md
var guide string

// helpRoutes are the route of the guide for editors.
func helpRoutes() []frame.Route {
	title, text, _ := strings.Cut(strings.TrimPrefix(guide, "# "), "\n")
	html := guideHTML(text)
	return []frame.Route{{Method: "GET", Pattern: "/help", Role: cms.RoleViewer,
		Handle: func(c *frame.Call) (frame.Result, error) {
			tagged := template.HTML(strings.ReplaceAll(string(html), ".webp\"",
				".webp?v="+c.A.Pages.Tag+"\"")) // so that browsers keep the pictures
			return frame.Result{Data: map[string]string{"guide": guide},
				Page: &ui.Page{Title: title, Template: "help", Custom: tagged}}, nil
		}}}
}

// The marks inside of a line: strong text, code, and links, of which only the text is shown where
// they lead to other files.
var (
	strongMark = regexp.MustCompile(`\*\*([^*]+)\*\*`)
	codeMark   = regexp.MustCompile("`([^`]+)`")
	linkMark   = regexp.MustCompile(`\[([^\]]+)\]\((/[^)]*)\)`)
	fileMark   = regexp.MustCompile(`\[([^\]]+)\]\([^)]*\)`)
	imageMark  = regexp.MustCompile(`!\[([^\]]+)\]\(ui/(assets/[^)]*)\)`)
	numberMark = regexp.MustCompile(`^\d+\. `)
)

// guideHTML renders headings, paragraphs and lists, which empty lines part. Lines that are indented go on with the item before.
func guideHTML(text string) template.HTML {
	var b strings.Builder
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		block = strings.TrimSpace(block)
		switch {
		case strings.HasPrefix(block, "## "):
			b.WriteString("<h2>" + guideLine(block[3:]) + "</h2>\n")
		case strings.HasPrefix(block, "- "):
			writeItems(&b, "ul", strings.Split(block[2:], "\n- "))
		case numberMark.MatchString(block):
			writeItems(&b, "ol", regexp.MustCompile(`(?m)^\d+\. `).Split(block, -1)[1:])
		default:
			b.WriteString("<p>" + guideLine(block) + "</p>\n")
		}
	}
	return template.HTML(b.String()) // guideLine escapes every text
}

func writeItems(b *strings.Builder, list string, items []string) {
	b.WriteString("<" + list + ">")
	for _, item := range items {
		b.WriteString("<li>" + guideLine(strings.TrimSpace(item)) + "</li>")
	}
	b.WriteString("</" + list + ">\n")
}

func guideLine(s string) string {
	s = template.HTMLEscapeString(s)
	s = codeMark.ReplaceAllString(s, "<code>$1</code>")
	s = strongMark.ReplaceAllString(s, "<strong>$1</strong>")
	s = imageMark.ReplaceAllString(s,
		`<img src="/admin/$2" alt="$1" width="1000" height="640" loading="lazy">`)
	s = linkMark.ReplaceAllString(s, `<a href="$2">$1</a>`)
	return fileMark.ReplaceAllString(s, "$1")
}
