package contentful

import (
	"fmt"
	"strings"

	"headless/scripts/cms/sources"
)

// richText turns a rich text document into Markdown.
func (c *reader) richText(e *sources.Entry, space string, document map[string]any) string {
	t := richText{c: c, e: e, space: space}
	return strings.TrimSpace(t.blocks(children(document), "\n\n"))
}

// richText writes one document.
type richText struct {
	c     *reader
	e     *sources.Entry
	space string
}

func children(node map[string]any) []map[string]any {
	list, _ := node["content"].([]any)
	nodes := make([]map[string]any, 0, len(list))
	for _, item := range list {
		if child, ok := item.(map[string]any); ok {
			nodes = append(nodes, child)
		}
	}
	return nodes
}

// blocks joins the blocks of a document or of a part of it.
func (t *richText) blocks(nodes []map[string]any, between string) string {
	var parts []string
	for _, node := range nodes {
		if text := t.block(node); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, between)
}

func (t *richText) block(node map[string]any) string {
	kind, _ := node["nodeType"].(string)
	switch kind {
	case "paragraph":
		return strings.TrimSpace(t.inline(children(node)))
	case "heading-1", "heading-2", "heading-3", "heading-4", "heading-5", "heading-6":
		return strings.Repeat("#", int(kind[len(kind)-1]-'0')) + " " + t.inline(children(node))
	case "unordered-list", "ordered-list":
		return t.list(children(node), kind == "ordered-list")
	case "blockquote":
		return "> " + strings.ReplaceAll(t.blocks(children(node), "\n\n"), "\n", "\n> ")
	case "hr":
		return "---"
	case "table":
		return t.table(children(node))
	case "embedded-asset-block":
		return t.asset(node)
	}
	t.c.site.Note(t.e.Source, "rich text: %s is left out", kind)
	return ""
}

func (t *richText) list(items []map[string]any, ordered bool) string {
	lines := make([]string, len(items))
	for i, item := range items {
		mark := "- "
		if ordered {
			mark = fmt.Sprintf("%d. ", i+1)
		}
		lines[i] = mark + strings.ReplaceAll(t.blocks(children(item), "\n"), "\n",
			"\n"+strings.Repeat(" ", len(mark)))
	}
	return strings.Join(lines, "\n")
}

func (t *richText) table(rows []map[string]any) string {
	var lines []string
	for i, row := range rows {
		cells := children(row)
		texts := make([]string, len(cells))
		for j, cell := range cells {
			texts[j] = strings.ReplaceAll(t.blocks(children(cell), " "), "|", `\|`)
		}
		lines = append(lines, "| "+strings.Join(texts, " | ")+" |")
		if i == 0 {
			lines = append(lines, "|"+strings.Repeat(" --- |", len(cells)))
		}
	}
	return strings.Join(lines, "\n")
}

// asset returns the Markdown of a file in a text: an image, or a link to the file.
func (t *richText) asset(node map[string]any) string {
	id, _ := linkOf(target(node))
	file := t.c.files[id]
	if file == nil {
		t.c.site.Note(t.e.Source, "leads to the asset %s, which is not in the export", id)
		return ""
	}
	mark := ""
	if sources.IsImage(file.Name) {
		mark = "!"
	}
	return mark + "[" + file.Alt + "](" + sources.Placeholder(file.ID) + ")"
}

func target(node map[string]any) map[string]any {
	data, _ := node["data"].(map[string]any)
	to, _ := data["target"].(map[string]any)
	return to
}

func (t *richText) inline(nodes []map[string]any) string {
	var b strings.Builder
	for _, node := range nodes {
		kind, _ := node["nodeType"].(string)
		switch kind {
		case "text":
			text, _ := node["value"].(string)
			list, _ := node["marks"].([]any)
			b.WriteString(sources.WithMarks(text, list))
		case "hyperlink":
			data, _ := node["data"].(map[string]any)
			fmt.Fprintf(&b, "[%s](%v)", t.inline(children(node)), data["uri"])
		case "asset-hyperlink":
			id, _ := linkOf(target(node))
			if file := t.c.files[id]; file != nil {
				fmt.Fprintf(&b, "[%s](%s)", t.inline(children(node)), sources.Placeholder(file.ID))
			}
		case "entry-hyperlink":
			text := t.inline(children(node))
			id, _ := linkOf(target(node))
			if t.c.entries[id] == "" {
				t.c.site.Note(t.e.Source, "leads to the entry %s, which is not in the export", id)
				b.WriteString(text)
				break
			}
			fmt.Fprintf(&b, "[%s](%s)", text, sources.EntryReference(t.c.id(t.space, id, t.c.defaultLocale)))
		default:
			t.c.site.Note(t.e.Source, "rich text: %s stays as plain text", kind)
			b.WriteString(t.inline(children(node)))
		}
	}
	return b.String()
}
