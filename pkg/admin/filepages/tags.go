package filepages

import (
	"net/url"
	"slices"
	"strings"

	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/assets"
	"headless/pkg/cms"
)

// tagCells are the tags of a file, which lead to the files that have them.
func tagCells(tags []string) []ui.Cell {
	var cells []ui.Cell
	for _, name := range tags {
		in := url.Values{"filter[tag]": {name}}
		cells = append(cells, ui.Cell{Text: say.Data(name), Href: ui.Base + "/media?" + in.Encode()})
	}
	return cells
}

// tagHelp explains the field of tags, and names the tags that files have.
func tagHelp(tags []string) say.Text {
	help := say.F("One a line, at most {1}.", assets.MaxTags)
	if len(tags) > 0 {
		help = say.Sentences(help, say.F("In use: {1}.", strings.Join(tags, ", ")))
	}
	return help
}

// changeTags returns the change of a file that adds the tags, or removes them.
func changeTags(action any, tags []string) func(m cms.Media) map[string]any {
	return func(m cms.Media) map[string]any {
		next := slices.Concat(m.Tags, tags)
		if action == actionUntag {
			next = slices.DeleteFunc(slices.Clone(m.Tags), func(name string) bool {
				return assets.HasTag(tags, name)
			})
		}
		return map[string]any{"tags": ui.Anys(next)}
	}
}
