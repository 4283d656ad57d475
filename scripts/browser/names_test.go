package browser

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"

	"headless/pkg/must"
)

// controls are the roles of what people use.
var controls = []string{"button", "link", "checkbox", "radio", "combobox", "textbox", "searchbox", "spinbutton", "tab",
	"menuitem", "DisclosureTriangle", "listbox", "slider", "switch"}

// accessible returns the nodes of the page as readers of screens have them, in their order.
func (b *tab) accessible() []*accessibility.Node {
	b.t.Helper()
	var nodes []*accessibility.Node
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		tree, err := cdp.Call(ctx, t, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
		if err == nil {
			nodes = inOrder(tree.Nodes)
		}
		return err
	}))
	return slices.DeleteFunc(nodes, func(n *accessibility.Node) bool { return n.Ignored || n.Role == nil })
}

// inOrder sorts nodes as they stand on the page. The browser tells them level by level.
func inOrder(nodes []*accessibility.Node) (sorted []*accessibility.Node) {
	byID := map[accessibility.NodeID]*accessibility.Node{}
	for _, n := range nodes {
		byID[n.NodeID] = n
	}
	var add func(n *accessibility.Node)
	add = func(n *accessibility.Node) {
		sorted = append(sorted, n)
		for _, id := range n.ChildIDs {
			if child := byID[id]; child != nil {
				add(child)
			}
		}
	}
	if len(nodes) > 0 {
		add(nodes[0])
	}
	return sorted
}

// landmarks are the roles of parts that readers of screens list. A page may have several of one role if each has a name
// of its own.
var landmarks = []string{"banner", "complementary", "contentinfo", "main", "navigation", "region", "search"}

// unnamedRows lists the controls at the ends of rows whose names do not say the row. Times in rows lack the year.
const unnamedRows = `[...document.querySelectorAll("td.buttons :is(a, button, summary):not(.pop *)")].map((e) =>
	[e.ariaLabel ?? e.textContent, e.closest("tr").querySelector("td.first .row, td.first:not(:has(.row))").innerText.replace(/^(— )+/, "").trim()])
	.map((texts) => texts.map((text) => text.replace(/\s/g, " ")))
	.filter(([name, row]) => !name.includes(row.replace(/, [0-9]{2}:[0-9]{2}$/, ""))).map(([name, row]) => name + " of the row " + row)`

// auditTree fails the test for each flaw of the page as readers of screens have it: a control whose name has no word or
// has a sign, a heading that does not follow the one before it, parts of one role without names of their own, and
// tables and rows without names or heads.
func (b *tab) auditTree(t *testing.T) {
	t.Helper()
	level, parts, headless := 0, map[string][]string{}, ""
	guide := eval[bool](b, `location.pathname.startsWith("/docs")`)
	for _, n := range b.accessible() {
		role, name := textOf(n.Role), textOf(n.Name)
		switch {
		case slices.Contains(controls, role):
			if !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) ||
				// In a tree, links have levels.
				strings.ContainsAny(name, "⋯↗▾▸✕⠿") || role != "link" && strings.Contains(name, "—") {
				t.Errorf("the name of a %s is %q", role, name)
			}
		case slices.Contains(landmarks, role):
			if slices.Contains(parts[role], name) {
				t.Errorf("there are several parts with the role %s and the name %q", role, name)
			}
			parts[role] = append(parts[role], name)
		case role == "heading":
			for _, p := range n.Properties {
				if p.Name != "level" {
					continue
				}
				now, err := strconv.Atoi(textOf(p.Value))
				must.Do(t, err)
				if now > level+1 || level == 0 && now != 1 {
					t.Errorf("the heading %q of level %d follows one of level %d", name, now, level)
				}
				level = now
			}
		case role == "table":
			if headless != "" {
				t.Errorf("the table %q has no heads", headless)
			}
			if headless = name; name == "" && !guide { // headings name the tables of a guide
				t.Error("a table has no name")
			}
		case role == "columnheader" || role == "rowheader":
			headless = ""
		}
	}
	if headless != "" {
		t.Errorf("the table %q has no heads", headless)
	}
	for _, flaw := range eval[[]string](b, unnamedRows) {
		t.Error("the name of a control does not say its row: ", flaw)
	}
}

// textOf returns the text of a value of the tree, "" of none.
func textOf(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	return strings.Trim(string(v.Value), `"`)
}
