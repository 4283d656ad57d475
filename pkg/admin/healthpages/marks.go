package healthpages

import (
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/health"
	"headless/pkg/slice"
)

// Marked adds the findings of an entry to the inputs of its form, at the places that they are about.
func Marked(entries entrydata.EntryHandlers) func(frame.Handler) frame.Handler {
	h := handlers{health.Checks{Store: entries.Entries.Store}, entries, nil}
	return func(next frame.Handler) frame.Handler {
		return func(c *frame.Call) (frame.Result, error) {
			result, err := next(c)
			if err != nil || result.Page == nil || result.Page.Form == nil {
				return result, err
			}
			m, err := c.Model()
			if err != nil {
				return result, err
			}
			list, err := h.checks.Of(c.R.Context(), m, &cms.Entry{ID: c.R.PathValue("id")}, false)
			for _, f := range list.Items {
				if at := fieldAt(result.Page.Form.Fields, f.Field); at != nil {
					at.Findings = append(at.Findings, wordsOf(f))
				}
			}
			return result, err
		}
	}
}

// fieldAt returns the field with the longest name that begins a path, nil if there is none.
func fieldAt(fields []ui.Field, path string) (found *ui.Field) {
	for i := range fields {
		f := &fields[i]
		if inner := fieldAt(f.Fields, path); inner != nil {
			return inner
		}
		if f.Name != "" && (path == f.Name || strings.HasPrefix(path, f.Name+".")) {
			found = f
		}
	}
	return found
}

// wordsOf describes a finding in the language of editors.
func wordsOf(f health.Finding) say.Text {
	switch f.Kind {
	case health.SEOTitle, health.SEODescription:
		return say.F("{1}: {2}", say.Known(f.Kind.Words()), detailOf(f))
	}
	return say.Known(f.Kind.Words())
}

// detailOf says the words of package health that stand in the detail of a finding about a text. Other details
// are data.
func detailOf(f health.Finding) say.Text {
	if f.Kind != health.SEOTitle && f.Kind != health.SEODescription {
		return say.Data(f.Detail)
	}
	return say.Join(slice.Map(strings.Split(f.Detail, ", "), say.Known), ", ")
}
