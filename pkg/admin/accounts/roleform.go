package accounts

import (
	"maps"
	"slices"
	"strconv"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/rowforms"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// roleFields returns the inputs of the form of a role, nil for a new one.
func roleFields(c *frame.Call, r *cms.Role) ([]ui.Field, error) {
	var v cms.Role
	if r != nil {
		v = *r
	}
	second := ui.Checkbox("require_totp", "Require a second factor", v.RequireTOTP)
	if v.Slug.IsBuiltin() {
		return []ui.Field{second}, nil
	}
	if posted, ok := input.FromForm(c.Form)["rules"].(map[string]any); ok {
		v.Rules = postedRules(posted)
	}
	rows := make([]ui.Field, len(v.Rules))
	for i, rule := range v.Rules {
		rows[i] = ruleFields(c.Site, i, rule)
	}
	fields := []ui.Field{
		{Name: "name", Label: "Name", Kind: "text", Value: v.Name, Required: true},
		ui.WithRows(ui.Field{Name: "rules", Label: "Rules",
			Help: "Each rule permits its actions on its models in its languages. Where nothing is chosen, a rule permits all."},
			rows, "rule", ui.Option{}),
		second,
	}
	if r == nil {
		slug := ui.Field{Name: "slug", Label: "Slug", Kind: "text", Required: true, Help: "Cannot be changed later."}
		fields = append([]ui.Field{slug}, fields...)
	}
	return fields, nil
}

// ruleFields returns the inputs of a rule. Names that do not exist any more stay among its choices.
func ruleFields(site *site.Site, i int, rule cms.Rule) ui.Field {
	at := "rules." + strconv.Itoa(i)
	checks := func(name string, label, help say.Text, values []string, options []ui.Option) ui.Field {
		f := ui.Field{Name: at + "." + name, Label: label, Kind: "checks", Values: values, Options: options, Help: help,
			Kept: true}
		for _, value := range values {
			if !slices.ContainsFunc(options, func(o ui.Option) bool { return o.Value == value }) {
				f.Options = append(f.Options, ui.Option{Value: value, Label: say.Data(value)})
			}
		}
		return f
	}
	chosen := slice.Map(rule.Actions, func(action cms.Action) string { return string(action) })
	return ui.Field{Name: at, Label: say.F("Rule {1}", i+1), Fields: []ui.Field{
		checks("models", "Models and areas", "", rule.Models, modelOptions(site)),
		checks("locales", "Languages", "", rule.Locales, ui.LocaleOptions(site.Locales)),
		checks("actions", "Actions", "Approve and Skip review are permitted only where they are chosen.", chosen,
			actionOptions()),
	}}
}

// modelOptions are the models and areas that a rule can name.
func modelOptions(site *site.Site) (options []ui.Option) {
	for _, slug := range slices.Sorted(maps.Keys(site.Models)) {
		options = append(options, ui.Option{Value: slug, Label: say.Data(site.Models[slug].Name)})
	}
	for _, area := range ui.WordOptions(cms.Areas()) {
		options = append(options, ui.Option{Value: area.Value, Label: say.F("Area: {1}", area.Label)})
	}
	return options
}

func actionOptions() []ui.Option { return ui.WordOptions(cms.Actions()) }

// postedRules returns the rules of a form. A row that was just added may read.
func postedRules(posted map[string]any) []cms.Rule {
	var rules []cms.Rule
	for _, index := range rowforms.Numeric(posted) {
		row, _ := posted[index].(map[string]any)
		rule := cms.Rule{Models: chosenOf(row["models"]), Locales: chosenOf(row["locales"])}
		for _, action := range chosenOf(row["actions"]) {
			rule.Actions = append(rule.Actions, cms.Action(action))
		}
		if _, ok := row["actions"]; !ok {
			rule.Actions = []cms.Action{cms.ActionRead}
		}
		rules = append(rules, rule)
	}
	return rules
}

// chosenOf returns the values of checkboxes, never nil.
func chosenOf(v any) []string {
	chosen := []string{}
	values, _ := v.(input.FormValue)
	for _, value := range values {
		if value != "" {
			chosen = append(chosen, value)
		}
	}
	return chosen
}

// decodeRules replaces the rules that a form sent as rows with the list that JSON clients send.
func decodeRules(_ *frame.Call, body map[string]any) error {
	posted, ok := body["rules"].(map[string]any)
	if !ok {
		return nil
	}
	list := []any{}
	for _, rule := range postedRules(posted) {
		actions := slice.Map(rule.Actions, func(action cms.Action) any { return string(action) })
		list = append(list, map[string]any{"models": ui.Anys(rule.Models), "locales": ui.Anys(rule.Locales),
			"actions": actions})
	}
	body["rules"] = list
	return nil
}
