package wordpress

import (
	"html"
	"regexp"
	"strings"

	htmltomarkdown "github.com/JohannesKaufmann/html-to-markdown/v2"

	"headless/scripts/cms/sources"
)

var (
	blockComment = regexp.MustCompile(`<!--\s*/?wp:[^>]*-->|<!--(more|nextpage)[^>]*-->`)
	caption      = regexp.MustCompile(`(?s)\[caption[^\]]*\](.*?)\[/caption\]`)
	shortcode    = regexp.MustCompile(`\[(/?)([a-z][a-z0-9_-]*)(\s[^\]]*)?\]`)
	blockElement = regexp.MustCompile(
		`(?i)^</?(p|div|h[1-6]|ul|ol|li|dl|dt|dd|table|tr|td|th|thead|tbody|blockquote|pre|figure|hr)[\s>/]`)
	address    = regexp.MustCompile(`https?://[^\s"'<>()\\]+`)
	linkTarget = regexp.MustCompile(`\]\(https?://[^\s"'<>()\\]+`)
	sizeSuffix = regexp.MustCompile(`-\d+x\d+(\.[A-Za-z0-9]+)$`)
)

// text sets the body and the excerpt of an entry.
func (w *reader) text(e *sources.Entry, it *item) {
	if name := sources.BodyField(w.site.ModelOf(e.Model)); name != "" {
		sources.Put(e.Data, name, w.markdown(e, it.encodedPart("/content/")))
	}
	sources.Put(e.Data, "excerpt", strings.TrimSpace(html.UnescapeString(it.encodedPart("/excerpt/"))))
}

// markdown turns a text of WordPress into Markdown. URLs of imported files become placeholders,
// and those of imported entries references.
func (w *reader) markdown(e *sources.Entry, text string) string {
	text = blockComment.ReplaceAllString(text, "")
	text = caption.ReplaceAllString(text, "$1")
	for _, found := range shortcode.FindAllStringSubmatch(text, -1) {
		if found[1] == "" {
			w.site.Note("shortcode "+found[2], "stays in texts as it is")
		}
	}
	markdown, err := htmltomarkdown.ConvertString(paragraphs(text))
	if err != nil {
		w.site.Note(e.Source, "its text stays HTML: %v", err)
		markdown = text
	}
	markdown = linkTarget.ReplaceAllStringFunc(markdown, func(link string) string {
		url, part, found := strings.Cut(strings.TrimPrefix(link, "]("), "#")
		id := w.entries[withoutSlash(url)]
		switch {
		case id == "":
			return link
		case found:
			part = "#" + part
		}
		return "](" + sources.EntryReference(id) + part
	})
	return address.ReplaceAllStringFunc(strings.TrimSpace(markdown), func(url string) string {
		if f := w.fileAt(url); f != nil {
			return sources.Placeholder(f.ID)
		}
		return url
	})
}

// withoutSlash returns an address without its scheme and a slash at its end.
func withoutSlash(url string) string { return strings.TrimSuffix(sources.WithoutScheme(url), "/") }

// paragraphs adds p tags around paragraphs that are separated by blank lines. The classic editor
// stores texts without these tags.
func paragraphs(text string) string {
	if strings.Contains(text, "<p>") || strings.Contains(text, "<pre") {
		return text
	}
	parts := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n")
	for i, part := range parts {
		if part = strings.TrimSpace(part); part != "" && !blockElement.MatchString(part) {
			parts[i] = "<p>" + part + "</p>"
		}
	}
	return strings.Join(parts, "\n")
}

// fileAt returns the file with a URL, which may be the URL of a smaller size of an image. It
// returns nil if there is none.
func (w *reader) fileAt(url string) *sources.File {
	url, _, _ = strings.Cut(sources.WithoutScheme(url), "?")
	if f := w.urls[url]; f != nil {
		return f
	}
	return w.urls[sizeSuffix.ReplaceAllString(url, "$1")]
}
