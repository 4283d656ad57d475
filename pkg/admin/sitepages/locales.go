package sitepages

import (
	"strconv"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/site"
)

var directions = map[string]say.Text{"ltr": "Left to right", "rtl": "Right to left"}

// LocaleRoutes returns the routes of locales.
func LocaleRoutes(locales *site.Locales) []frame.Route {
	return resource.Kind[cms.Locale]{
		Path: "/locales", Title: "Languages", One: "language", Event: "locale.updated", Param: "code",
		New:     func(c *frame.Call) (cms.Locale, error) { return locales.New(c.R.Context()) },
		ID:      func(l cms.Locale) string { return l.Code },
		Name:    func(l cms.Locale) say.Text { return say.Data(l.Name) },
		Columns: []say.Text{"Name", "Code", "Native name", "Direction", "State", ""},
		Row: func(l cms.Locale) []ui.Cell {
			return []ui.Cell{ui.Text(l.Name), ui.Code(l.Code), ui.Text(l.NativeName), ui.Word(directions[l.Direction]),
				ui.YesNo(l.IsActive, "active", "inactive"), defaultCell(l)}
		},
		Detail: func(_ *frame.Call, l cms.Locale) (*ui.Detail, error) {
			state := []ui.Cell{ui.YesNo(l.IsActive, "active", "inactive")}
			if l.IsDefault {
				state = append(state, defaultCell(l))
			}
			return &ui.Detail{Facts: []ui.Fact{
				ui.NewFact("Code", ui.Code(l.Code)),
				ui.NewFact("Native name", ui.Text(l.NativeName)),
				ui.NewFact("Direction", ui.Word(directions[l.Direction])),
				ui.NewFact("Order", ui.Word(say.Number(l.SortOrder))),
				ui.NewFact("State", state...),
			}}, nil
		},
		Fields: localeFields,
	}.On(locales).Routes()
}

func defaultCell(l cms.Locale) ui.Cell {
	if l.IsDefault {
		return ui.Badge("default")
	}
	return ui.Cell{}
}

func localeFields(_ *frame.Call, l *cms.Locale) ([]ui.Field, error) {
	v := cms.Locale{IsActive: true}
	var fields []ui.Field
	order := ""
	if l != nil {
		v = *l
		order = strconv.Itoa(v.SortOrder)
	} else {
		fields = append(fields, ui.Field{Name: "code", Label: "Code", Kind: "text", Required: true,
			Help: "Such as en, de-AT or zh-Hans. It cannot be changed later."})
	}
	return append(fields,
		ui.Field{Name: "name", Label: "Name", Kind: "text", Value: v.Name, Required: true},
		ui.Field{Name: "native_name", Label: "Native name", Kind: "text", Value: v.NativeName,
			Help: "What its speakers call the language."},
		ui.Field{Name: "direction", Label: "Direction", Kind: "select", Value: v.Direction,
			Options: []ui.Option{
				{Value: "", Label: "As usual for the language"}, {Value: "ltr", Label: directions["ltr"]},
				{Value: "rtl", Label: directions["rtl"]},
			}},
		ui.Field{Name: "sort_order", Label: "Order", Kind: "number", Value: order},
		ui.Checkbox("is_active", "Active", v.IsActive), ui.Checkbox("is_default", "Default language", v.IsDefault),
	), nil
}
