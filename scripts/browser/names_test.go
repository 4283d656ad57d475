package browser

import (
	"context"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

// controls are the roles of what people use.
var controls = []string{"button", "link", "checkbox", "radio", "combobox", "textbox", "searchbox", "spinbutton", "tab",
	"menuitem", "DisclosureTriangle", "listbox", "slider", "switch"}

// accessible returns the nodes of the page as readers of screens have them.
func (b *tab) accessible() []*accessibility.Node {
	b.t.Helper()
	var nodes []*accessibility.Node
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		tree, err := cdp.Call(ctx, t, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
		nodes = tree.Nodes
		return err
	}))
	return slices.DeleteFunc(nodes, func(n *accessibility.Node) bool { return n.Ignored || n.Role == nil })
}

// auditNames fails the test for each control whose name has no word, or starts with a sign.
func (b *tab) auditNames(t *testing.T) {
	t.Helper()
	for _, n := range b.accessible() {
		role := strings.Trim(string(n.Role.Value), `"`)
		if !slices.Contains(controls, role) {
			continue
		}
		name := ""
		if n.Name != nil {
			name = strings.Trim(string(n.Name.Value), `"`)
		}
		if !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) ||
			strings.ContainsAny(name, "⋯↗▾✕⠿") || role != "link" && strings.Contains(name, "—") { // in a tree, links have levels
			t.Errorf("the name of a %s is %q", role, name)
		}
	}
}
