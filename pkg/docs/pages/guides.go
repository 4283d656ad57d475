package pages

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"headless/pkg/docs"
)

// guide is one guide.
type guide struct{ Name, Title, text string }

// group is a group of guides under the name that the index gives it.
type group struct {
	Name   string
	Guides []guide
}

// index is the name of the guide that lists the others.
const index = "README"

var (
	// A link to another guide, with its name and fragment.
	guideLink = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\]\(([a-z]+(?:\.[a-z]+)?)\.md(#[^)]*)?\)`)
	})
	// A picture of the admin area.
	picture = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\]\(\.\./admin/ui/(assets/[^)]*)\)`)
	})
	// The same in a text with links to pages.
	shownPicture = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`!\[[^\]]+\]\((/admin/[^)]*)\)`)
	})
	// A link to a file of the repository that is no guide.
	fileLink = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\[([^\]]+)\]\(\.\.?/[^)]*\)`)
	})
)

// groups lists all guides in the order of the index.
var groups = sync.OnceValue(func() (list []group) {
	for line := range strings.Lines(docs.Text(index)) {
		if name, ok := strings.CutPrefix(line, "**"); ok {
			name, _, _ = strings.Cut(name, "**")
			list = append(list, group{Name: name})
		}
		for _, m := range guideLink().FindAllStringSubmatch(line, -1) {
			in := &list[len(list)-1]
			in.Guides = append(in.Guides, guideOf(m[1]))
		}
	}
	return list
})

func guideOf(name string) guide {
	text := docs.Text(name)
	title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
	return guide{name, title, text}
}

// withPageLinks returns a text whose links lead to pages. Those to files that are not served are replaced
// by their text.
func withPageLinks(text string) string {
	return guideLink().ReplaceAllString(asMarkdown(text), "]("+Base+"/$1$2)")
}

// asMarkdown returns a guide as a running service has it: its links lead to other guides and to pictures.
func asMarkdown(text string) string {
	return fileLink().ReplaceAllString(picture().ReplaceAllString(text, "](/admin/$1)"), "$1")
}

// servedIndex returns the index without the items that lead to no guide, and without groups of such items.
func servedIndex() string {
	var kept []string
	heading := ""
	for _, part := range strings.Split(asMarkdown(docs.Text(index)), "\n\n") { // the heading of a group, or its items
		items := slices.DeleteFunc(strings.Split(part, "\n"), func(line string) bool { return !strings.Contains(line, "](") })
		switch {
		case len(items) > 0:
			kept = append(kept, heading, strings.Join(items, "\n"))
		case strings.HasPrefix(part, "# "):
			kept = append(kept, part)
		default:
			heading = part
		}
	}
	return strings.Join(kept, "\n\n")
}

// llms returns the index for language models (llmstxt.org).
func llms(siteURL string) string {
	text := strings.TrimPrefix(servedIndex(), "# Guides\n")
	text = regexp.MustCompile(`(?m)^\*\*([^*]+)\*\*`).ReplaceAllString(text, "## $1")
	text = guideLink().ReplaceAllString(text, "]("+siteURL+Base+"/$1.md$2)")
	return "# Headless Content Service\n\n> A headless CMS: models, entries, media, forms, previews, delivery and " +
		"webhooks. " + "All guides in one file: " + siteURL + "/llms-full.txt\n" + text + "\n"
}

// llmsFull returns all guides in one text.
func llmsFull() string {
	var texts []string
	for _, g := range groups() {
		for _, guide := range g.Guides {
			texts = append(texts, asMarkdown(guide.text))
		}
	}
	return strings.Join(texts, "\n")
}
