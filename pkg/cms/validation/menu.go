package validation

import (
	"slices"
	"strings"

	"headless/pkg/cms"
)

// Limits of a model's position in the menu.
const (
	maxMenuGroup = 60 // characters
	maxMenuOrder = 9999
)

func checkMenu(p cms.Problems, m *cms.Model) {
	p.LimitLength("menu.group", m.Menu.Group, maxMenuGroup)
	if m.Menu.Order < -maxMenuOrder || m.Menu.Order > maxMenuOrder {
		p.Add("menu.order", "must be a number from %d to %d", -maxMenuOrder, maxMenuOrder)
	}
	if m.Menu.Icon != "" && !slices.Contains(cms.ModelIcons, m.Menu.Icon) {
		p.Add("menu.icon", "is not an icon; known: %s", strings.Join(cms.ModelIcons, ", "))
	}
}
