package strapi

import (
	"fmt"
	"strings"

	"headless/scripts/cms/sources"
)

// blocks turns the blocks of Strapi's rich text editor into Markdown.
func blocks(nodes []any) string {
	var parts []string
	for _, item := range nodes {
		if node, ok := item.(map[string]any); ok {
			parts = append(parts, block(node))
		}
	}
	return strings.TrimSpace(strings.Join(parts, "\n\n"))
}

func block(node map[string]any) string {
	nodes, _ := node["children"].([]any)
	switch node["type"] {
	case "heading":
		level, _ := node["level"].(float64)
		return strings.Repeat("#", min(max(int(level), 1), 6)) + " " + inline(nodes)
	case "quote":
		return "> " + strings.ReplaceAll(inline(nodes), "\n", "\n> ")
	case "code":
		return "```\n" + inline(nodes) + "\n```"
	case "image":
		picture, _ := node["image"].(map[string]any)
		return fmt.Sprintf("![%s](%v)", textOf(picture["alternativeText"]), picture["url"])
	case "list":
		return list(nodes, node["format"] == "ordered")
	}
	return inline(nodes)
}

func list(items []any, ordered bool) string {
	var lines []string
	for i, item := range items {
		node, _ := item.(map[string]any)
		nodes, _ := node["children"].([]any)
		if node["type"] == "list" {
			lines = append(lines, "  "+strings.ReplaceAll(block(node), "\n", "\n  "))
			continue
		}
		mark := "- "
		if ordered {
			mark = fmt.Sprintf("%d. ", i+1)
		}
		lines = append(lines, mark+inline(nodes))
	}
	return strings.Join(lines, "\n")
}

func inline(nodes []any) string {
	var b strings.Builder
	for _, item := range nodes {
		node, _ := item.(map[string]any)
		if node["type"] == "link" {
			inner, _ := node["children"].([]any)
			fmt.Fprintf(&b, "[%s](%v)", inline(inner), node["url"])
			continue
		}
		marked := []any{}
		for _, kind := range []string{"code", "bold", "italic", "strikethrough"} {
			if node[kind] == true {
				marked = append(marked, map[string]any{"type": kind})
			}
		}
		b.WriteString(sources.WithMarks(textOf(node["text"]), marked))
	}
	return b.String()
}

// textOf returns a string, "" for any other value.
func textOf(v any) string {
	text, _ := v.(string)
	return text
}
