package cms

import (
	"slices"
	"strings"
)

// ModelMenu is where a model stands in the menu of the admin area.
type ModelMenu struct {
	Group string `json:"group"` // title of the part of the menu; "" for Content itself
	Order int    `json:"order"` // lower first, models of one order by name
	Icon  string `json:"icon"`  // one of ModelIcons; "" for the usual one
}

// Limits of a model's place in the menu.
const (
	maxMenuGroup = 60 // characters
	maxMenuOrder = 9999
)

// ModelIcons are the icons that a model can have.
var ModelIcons = []string{"article", "calendar", "cart", "chat", "folder", "gear", "home", "image",
	"list", "person", "pin", "question", "star", "tag", "video"}

func (m *Model) checkMenu(p Problems) {
	checkLength(p, "menu.group", m.Menu.Group, maxMenuGroup)
	if m.Menu.Order < -maxMenuOrder || m.Menu.Order > maxMenuOrder {
		p.Add("menu.order", "must be a number from %d to %d", -maxMenuOrder, maxMenuOrder)
	}
	if m.Menu.Icon != "" && !slices.Contains(ModelIcons, m.Menu.Icon) {
		p.Add("menu.icon", "is not an icon; known: %s", strings.Join(ModelIcons, ", "))
	}
}
