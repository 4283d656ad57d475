package modelpages

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/listpages"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/schema"
	"headless/pkg/site"
	"headless/pkg/web"
)

// withReport returns the handler that saves a changed model. If a form would move entries to a new
// index or lose values, it comes back with a report first. Renamed fields keep their values.
func (h ModelHandlers) withReport(save frame.Handler, form func(*frame.Call) (*ui.Page, error)) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		if !c.IsForm {
			return save(c)
		}
		was, stored, err := h.storedModel(c)
		if err != nil {
			return frame.Result{}, err
		}
		body, err := c.Body()
		if err != nil {
			return frame.Result{}, err
		}
		renamed, err := decodeModelBody(c, body)
		if err != nil {
			return frame.Result{}, err
		}
		if !stored && len(renamed) == 0 {
			return save(c)
		}
		document := schemaOf(was.Slug, c.Form.Get("slug"), body, renamed)
		plan, err := h.Schemas.Plan(c.R.Context(), document)
		if err != nil {
			return frame.Result{}, ofModel(err)
		}
		if stored && c.Form.Get("_plan") != plan.ID {
			report, err := h.reportPlan(c, was, body, renamed, plan)
			if err != nil {
				return frame.Result{}, err
			}
			if report != nil {
				page, err := form(c)
				if err != nil {
					return frame.Result{}, err
				}
				page.Form.Refill(c.Form, nil)
				page.Form.Report = report
				return frame.Result{Page: page}, nil
			}
		}
		if len(renamed) == 0 {
			return save(c)
		}
		_, err = h.Schemas.Apply(c.R.Context(), c.Actor(), document, plan.ID, []string{string(schema.LosesData)}, nil)
		return frame.Result{Redirect: ui.ModelPath(cmp.Or(c.Form.Get("slug"), was.Slug)) + "?ok=saved"}, ofModel(err)
	}
}

// storedModel returns the model named in the path, and whether it has entries. It fails if the model
// changed after the form was opened.
func (h ModelHandlers) storedModel(c *frame.Call) (*site.Model, bool, error) {
	m := c.Site.Models[c.R.PathValue("slug")]
	if m == nil {
		_, err := h.Models.Get(c.R.Context(), c.R.PathValue("slug"))
		return nil, false, cmp.Or[error](err, web.ErrNothing)
	}
	unchanged := resource.Unchanged(c, "model.updated", m.Slug, func(m cms.Model) any { return m })
	if err := unchanged.Check(m.Model); err != nil {
		return nil, false, err
	}
	has, err := h.Models.HasEntries(c.R.Context(), m)
	return m, has, err
}

// schemaOf returns a schema of one model, with the renames of its slug and fields.
func schemaOf(was, slug string, body map[string]any, renamed map[string]string) map[string]any {
	model := maps.Clone(body)
	slug = cmp.Or(slug, was)
	model["slug"] = slug
	renames := []any{}
	if slug != was {
		renames = append(renames, map[string]any{"from": was, "to": slug})
	}
	for _, from := range slices.Sorted(maps.Keys(renamed)) {
		renames = append(renames, map[string]any{"model": slug, "from": from, "to": renamed[from]})
	}
	return map[string]any{"models": []any{model}, "renames": renames}
}

// ofModel turns the paths in an error about a schema of one model into those of the model's form.
func ofModel(err error) error {
	var e *cms.Error
	if !errors.As(err, &e) || len(e.Details) == 0 {
		return err
	}
	own := *e
	own.Details = cms.Problems{}
	for path, messages := range e.Details {
		own.Details[strings.TrimPrefix(path, "models.0.")] = messages
	}
	return &own
}

// reportPlan lists what the user must know before a plan is applied, nil if there is nothing.
func (h ModelHandlers) reportPlan(c *frame.Call, was *site.Model, body map[string]any,
	renamed map[string]string, plan schema.Plan) (*ui.Report, error) {
	report := &ui.Report{Title: "Before you save", Plan: plan.ID, Submit: "Save these changes"}
	for _, change := range plan.Changes {
		line := ui.ReportLine{State: ui.Cell{Text: "entries are re-indexed", Kind: "grey"},
			About: say.Data(lastPart(change.Path)),
			Text:  say.Known(change.Message)}
		switch change.Risk {
		case schema.Safe:
			continue
		case schema.LosesData:
			line.State = ui.Cell{Text: "loses values", Kind: "bad"}
			report.Danger = true
		}
		report.Lines = append(report.Lines, line)
	}
	fields, _ := body["fields"].([]any)
	for _, f := range fields {
		field, _ := f.(map[string]any)
		name, _ := field["name"].(string)
		stored := name // before it is renamed
		for from, to := range renamed {
			if to == name {
				stored = from
			}
		}
		before := was.Field(stored)
		if field["required"] == true && (before == nil || !before.Required) {
			var lacks []query.Filter // none for a new field: all entries lack it
			if before != nil {
				lacks = []query.Filter{{Path: "data." + stored, Op: query.OpNull, Values: []string{"true"}}}
			}
			if err := h.addCount(c, report, was, name, "required", lacks, func(n int) say.Text {
				if n < 0 {
					return "Some entries lack this required field; it is asked for when they are saved next."
				}
				return say.N(n, "{1} entry lacks this required field; it is asked for when it is saved next.",
					"{1} entries lack this required field; it is asked for when they are saved next.")
			}); err != nil {
				return nil, err
			}
		}
		if removed := removedOptions(before, field); len(removed) > 0 {
			has := []query.Filter{{Path: "data." + stored, Op: query.OpIn, Values: removed}}
			if err := h.addCount(c, report, was, name, "options", has, func(n int) say.Text {
				if n < 0 {
					return "Some entries have an option that is removed; another one is asked for when they are saved next."
				}
				return say.N(n, "{1} entry has an option that is removed; another one is asked for when it is saved next.",
					"{1} entries have an option that is removed; another one is asked for when they are saved next.")
			}); err != nil {
				return nil, err
			}
		}
	}
	if len(report.Lines) == 0 {
		return nil, nil
	}
	if report.Danger {
		report.Submit = "Save, and lose these values"
	}
	return report, nil
}

// removedOptions returns the options that a field has and its new definition lacks. None are removed with the field,
// or with its type.
func removedOptions(before *cms.Field, now map[string]any) []string {
	if before == nil || now["type"] != string(before.Type) {
		return nil
	}
	kept, _ := now["options"].([]any)
	return slices.DeleteFunc(slices.Clone(before.Options), func(o string) bool { return slices.Contains(kept, any(o)) })
}

// addCount adds a line about the entries that filters find, with the text for their number, which is -1 if it is not
// known. It adds none if there are no such entries.
func (h ModelHandlers) addCount(c *frame.Call, report *ui.Report, m *site.Model, name string,
	word say.Text, filters []query.Filter, text func(n int) say.Text) error {
	page, err := listpages.CountEntries(c.R.Context(), h.Entries, c.Site, m, nil, "", "", filters...)
	n := page.Total
	if e := frame.AsError(err); page.Estimate || e != nil && (e.Code == cms.CodeQueryNotIndexed ||
		e.Code == cms.CodeBadRequest) {
		n, err = -1, nil
	} else if n == 0 || err != nil {
		return err
	}
	report.Lines = append(report.Lines,
		ui.ReportLine{State: ui.Cell{Text: word, Kind: "warn"}, About: say.Data(name), Text: text(n)})
	return nil
}

func lastPart(path string) string { return path[strings.LastIndex(path, ".")+1:] }
