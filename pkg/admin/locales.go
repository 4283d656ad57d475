package admin

import (
	"strconv"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/site"
)

// localeRoutes are the routes of locales.
func localeRoutes(locales *site.Locales) []Route {
	return Resource[cms.Locale]{
		Path: "/locales", Title: "Locales", One: "locale", Param: "code",
		List: func(c *Call, p db.Paging) (db.Page[cms.Locale],
			error) {
			return locales.List(c.R.Context(), p)
		},
		Get: func(c *Call, code string) (cms.Locale, error) { return locales.Get(c.R.Context(), code) },
		Create: func(c *Call, body map[string]any) (cms.Locale, error) {
			return locales.Create(c.R.Context(), c.Actor(), body)
		},
		Update: func(c *Call, code string, body map[string]any,
			ok input.Precondition[cms.Locale]) (cms.Locale, error) {
			return locales.Update(c.R.Context(), c.Actor(), code, body, ok)
		},
		Delete:  func(c *Call, code string) error { return locales.Delete(c.R.Context(), c.Actor(), code) },
		New:     func(c *Call) (cms.Locale, error) { return locales.New(c.R.Context()) },
		ID:      func(l cms.Locale) string { return l.Code },
		Name:    func(l cms.Locale) string { return l.Name },
		Columns: []string{"Name", "Code", "Native name", "Direction", "State", ""},
		Row: func(l cms.Locale) []Cell {
			return []Cell{Text(l.Name), Code(l.Code), Text(l.NativeName), Text(l.Direction),
				YesNo(l.IsActive, "active", "inactive"), defaultCell(l)}
		},
		Detail: func(_ *Call, l cms.Locale) (*Detail, error) {
			return &Detail{Facts: []Fact{
				{Label: "Code", Cells: []Cell{Code(l.Code)}},
				{Label: "Native name", Cells: []Cell{Text(l.NativeName)}},
				{Label: "Direction", Cells: []Cell{Text(l.Direction)}},
				{Label: "Order", Cells: []Cell{Text(strconv.Itoa(l.SortOrder))}},
				{Label: "State", Cells: []Cell{YesNo(l.IsActive, "active", "inactive"), defaultCell(l)}},
			}}, nil
		},
		Fields: localeFields,
	}.Routes()
}

func defaultCell(l cms.Locale) Cell {
	if l.IsDefault {
		return Badge("default")
	}
	return Cell{}
}

func localeFields(_ *Call, l *cms.Locale) ([]Field, error) {
	v := cms.Locale{IsActive: true}
	var fields []Field
	order := ""
	if l != nil {
		v = *l
		order = strconv.Itoa(v.SortOrder)
	} else {
		fields = append(fields, Field{Name: "code", Label: "Code", Kind: "text", Required: true,
			Help: "Such as en, de-AT or zh-Hans. It cannot be changed later."})
	}
	return append(fields,
		Field{Name: "name", Label: "Name", Kind: "text", Value: v.Name, Required: true},
		Field{Name: "native_name", Label: "Native name", Kind: "text", Value: v.NativeName,
			Help: "What its speakers call the language."},
		Field{Name: "direction", Label: "Direction", Kind: "select", Value: v.Direction, Options: []Option{
			{"", "As usual for the language"}, {"ltr", "Left to right"}, {"rtl", "Right to left"},
		}},
		Field{Name: "sort_order", Label: "Order", Kind: "number", Value: order},
		checkbox("is_active", "Active", v.IsActive),
		checkbox("is_default", "Default locale", v.IsDefault),
	), nil
}
