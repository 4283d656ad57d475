package ui

import (
	"cmp"
	"strings"
	"sync"

	"headless/pkg/cms"
)

// slugIcons has icons by words of the slugs of models, in the singular.
var slugIcons = sync.OnceValue(func() map[string]string {
	return words(map[string]string{
		"article":  "post article news blog story press guide tutorial recipe job",
		"calendar": "event appointment session meeting workshop course date webinar",
		"cart":     "product item shop good price plan order offer",
		"chat":     "comment message announcement banner contact newsletter",
		"folder":   "project portfolio case download document resource",
		"gear":     "setting config service feature integration",
		"home":     "home homepage start landing index",
		"image":    "gallery image picture photo slide logo album",
		"list":     "menu navigation footer header list link glossary term",
		"person":   "author person people team member staff employee speaker customer contributor profile user",
		"pin":      "place location venue store office branch city country destination",
		"question": "faq question help answer",
		"star":     "review testimonial rating award reference brand partner sponsor",
		"tag":      "tag category topic label genre type collection",
		"video":    "video episode podcast film movie",
	})
})

// fieldIcons has icons by names of fields, for models whose slug says nothing.
var fieldIcons = sync.OnceValue(func() map[string]string {
	return words(map[string]string{
		"calendar": "start starts_at begin begins_at start_date",
		"cart":     "price sku",
		"person":   "email first_name last_name portrait",
		"pin":      "latitude location address street",
		"question": "question",
		"star":     "rating stars",
	})
})

// words turns a table of icons and their words around.
func words(table map[string]string) map[string]string {
	icons := map[string]string{}
	for icon, list := range table {
		for word := range strings.FieldsSeq(list) {
			icons[word] = icon
		}
	}
	return icons
}

// ModelIcon returns the name of the icon of a model: the one that it sets, else one that its slug,
// whose last word counts most, or its fields suggest.
func ModelIcon(m *cms.Model) string {
	icon := m.Menu.Icon
	for _, word := range strings.FieldsFunc(m.Slug, func(r rune) bool { return r == '-' || r == '_' }) {
		single := strings.TrimSuffix(word, "s")
		if stem, ok := strings.CutSuffix(word, "ies"); ok {
			single = stem + "y"
		}
		if m.Menu.Icon == "" {
			icon = cmp.Or(slugIcons()[word], slugIcons()[single], icon)
		}
	}
	for _, f := range m.Fields {
		icon = cmp.Or(icon, fieldIcons()[f.Name])
	}
	return cmp.Or(icon, "Entries")
}
