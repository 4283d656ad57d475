package modelpages

import (
	"cmp"
	"strconv"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/rowforms"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
)

func modelDetail(_ *frame.Call, m cms.Model) (*ui.Detail, error) {
	fields := &ui.List{Columns: []say.Text{"Name", "Label", "Type", "Rules"},
		Empty: "This model has no fields: its entries are a title and a slug."}
	for _, f := range m.Fields {
		fields.Rows = append(fields.Rows,
			ui.Row{Cells: []ui.Cell{ui.Code(f.Name), ui.Text(f.Label), ui.Badge(say.Known(string(f.Type))),
				ui.Word(fieldRules(f))}})
	}
	sort := cmp.Or(m.DefaultSort, "-published_at,-created_at")
	visible := ui.Cell{Text: "all", Kind: "muted"}
	if len(m.VisibleFields) > 0 {
		visible = ui.Code(strings.Join(m.VisibleFields, ", "))
	}
	facts := []ui.Fact{
		ui.NewFact("Slug", ui.Code(m.Slug)),
		ui.NewFact("Kind", ui.Badge(say.Known(string(m.Kind)))),
		ui.NewFact("State", ui.YesNo(m.IsActive, "active", "inactive"), ui.YesNo(m.Localized, "localized", "one language")),
		ui.NewFact("Default sort", ui.Code(sort)),
		ui.NewFact("Maximum page size", ui.Word(say.Number(m.MaxPerPage))),
		ui.NewFact("Visible fields", visible),
	}
	add := func(on bool, label say.Text, cell ui.Cell) {
		if on {
			facts = append(facts, ui.NewFact(label, cell))
		}
	}
	add(m.URL != "", "Address on the site", ui.Code(m.URL))
	add(m.Home != "", "Slug of the home page", ui.Code(m.Home))
	add(m.PreviewURL != "", "Preview address", ui.Code(m.PreviewURL))
	add(m.Review > 0, "Approvals before publishing", ui.Word(say.Number(m.Review)))
	return &ui.Detail{
		Facts:    facts,
		Actions:  []ui.Action{{Label: "Entries", Href: ui.Base + ui.EntriesPath(m.Slug)}},
		Sections: []ui.Section{{Title: "Fields", List: fields}},
	}, nil
}

// fieldRules describes the rules of a field in words.
func fieldRules(f cms.Field) say.Text {
	var rules []say.Text
	add := func(on bool, rule say.Text) {
		if on {
			rules = append(rules, rule)
		}
	}
	add(f.Required, "required")
	add(f.Unique, "unique")
	add(f.Searchable, "searchable")
	add(f.IsShared(), "same in all translations")
	add(f.Min != nil, say.F("min {1}", formatNumber(f.Min)))
	add(f.Max != nil, say.F("max {1}", formatNumber(f.Max)))
	add(f.Pattern != "", say.F("matches {1}", f.Pattern))
	add(len(f.Options) > 0, say.Data(strings.Join(f.Options, " | ")))
	add(f.Type == cms.TypeRelation, say.F("of {1}", strings.Join(f.Targets(), " | ")))
	add(f.Many, "many")
	add(len(f.Mimes) > 0, say.Data(strings.Join(f.Mimes, " | ")))
	add(len(f.Fields) > 0, say.N(len(f.Fields), "{1} field", "{1} fields"))
	return say.Join(rules, ", ")
}

func formatNumber(f *float64) string {
	if f == nil {
		return ""
	}
	return strconv.FormatFloat(*f, 'f', -1, 64)
}

func modelFields(c *frame.Call, m *cms.Model) ([]ui.Field, error) {
	v := cms.Model{Kind: cms.KindCollection, IsActive: true, MaxPerPage: cms.DefaultMaxPerPage, Fields: []cms.Field{}}
	if m != nil {
		v = *m
	}
	rows, posted := rowforms.PostedRows(c, input.FromForm(c.Form), "fields")
	if !posted {
		var err error
		if rows, err = rowforms.RowsOf(fieldShape, compactFields(v.Fields)); err != nil {
			return nil, err
		}
		for i := range rows {
			rows[i].Text["was"] = rows[i].Text["name"]
		}
		if m == nil {
			rows = []rowforms.Row{{Text: map[string]string{"type": string(cms.TypeText)}}} // to begin with
		}
	}
	slugHelp := say.Text("Its path in the API: /api/v1/slug.")
	if m == nil {
		slugHelp = "Its path in the API: /api/v1/slug. Made from the name where it is empty."
	}
	return []ui.Field{
		{Name: "name", Label: "Name", Kind: "text", Value: v.Name, Required: true},
		{Name: "slug", Label: "Slug", Kind: "text", Value: v.Slug, Required: m != nil, Help: slugHelp},
		{Name: "kind", Label: "Kind", Kind: "select", Value: string(v.Kind),
			Options: []ui.Option{{Value: "collection", Label: "Collection: many entries"},
				{Value: "single", Label: "Single: one entry a language"}}},
		ui.Checkbox("localized", "Localized: entries in every language", v.Localized),
		ui.Checkbox("is_active", "Active", v.IsActive),
		modelRows(c.Site,
			ui.Field{Name: "fields", Label: "Fields",
				Help: "Beside title and slug, which every entry has."}, rows, fieldLevel{top: true}),
		visibleField(v, rows),
		orderField(v, rows),
		{Name: "max_per_page", Label: "Maximum page size", Kind: "number", Value: strconv.Itoa(v.MaxPerPage)},
		{Name: "url", Label: "Address on the site", Kind: "text", Value: v.URL,
			Help: "Such as /{locale?}/posts/{slug}. With one, entries are in sitemaps, feeds and redirects."},
		{Name: "home", Label: "Slug of the home page", Kind: "text", Value: v.Home,
			Help: "It is left out of addresses."},
		ui.Checkbox("tree", "Tree: entries stand below one another, and {path} in the address names those above", v.Tree),
		{Name: "preview_url", Label: "Preview address", Kind: "text", Value: v.PreviewURL,
			Help: "Such as https://example.com/{locale}/{slug}?preview={token}."},
		{Name: "review", Label: "Approvals before publishing", Kind: "select", Value: strconv.Itoa(v.Review),
			Options: []ui.Option{{Value: "0", Label: "None"}, {Value: "1", Label: "One"}, {Value: "2", Label: "Two people"}}},
		translateField(c.Site, v),
		{Name: "stale_after_months", Label: "Look after entries every … months", Kind: "number",
			Value: strconv.Itoa(v.StaleAfterMonths),
			Help:  "The page Health lists entries that were not saved for so long. 0: never."},
		{Label: "Place in the menu", Kind: "more", Fields: []ui.Field{
			{Name: "menu.group", Label: "Group", Kind: "text", Value: v.Menu.Group,
				Help: "Models with the same group stand below its name."},
			{Name: "menu.order", Label: "Order", Kind: "number", Value: strconv.Itoa(v.Menu.Order),
				Help: "Lower ones first."},
			{Name: "menu.icon", Label: "Icon", Kind: "select", Value: v.Menu.Icon,
				Options: ui.WithNone("Default icon", ui.WordOptions(cms.ModelIcons))},
		}},
	}, nil
}

// compactFields returns definitions of fields without the keys that are not set.
func compactFields(fields []cms.Field) []map[string]any {
	out := make([]map[string]any, len(fields))
	for i, f := range fields {
		m := map[string]any{"name": f.Name, "type": f.Type}
		set := func(on bool, key string, v any) {
			if on {
				m[key] = v
			}
		}
		set(f.Label != "", "label", f.Label)
		set(f.Required, "required", true)
		set(f.Unique, "unique", true)
		set(f.Searchable, "searchable", true)
		set(f.IsShared(), "translatable", false)
		set(f.Min != nil, "min", f.Min)
		set(f.Max != nil, "max", f.Max)
		set(f.Pattern != "", "pattern", f.Pattern)
		set(len(f.Options) > 0, "options", f.Options)
		set(f.Model != "", "model", f.Model)
		set(len(f.Models) > 0, "models", f.Models)
		set(f.Many, "many", true)
		set(len(f.Mimes) > 0, "mimes", f.Mimes)
		set(len(f.Fields) > 0, "fields", compactFields(f.Fields))
		set(f.Default != nil, "default", f.Default)
		set(f.Help != "", "help", f.Help)
		set(f.Tab != "", "tab", f.Tab)
		set(f.Column != "", "column", f.Column)
		set(f.ShownIf != "", "shown_if", f.ShownIf)
		set(len(f.ShownFor) > 0, "shown_for", f.ShownFor)
		out[i] = m
	}
	return out
}
