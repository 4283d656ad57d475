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

// Mark returns a function for frame.AddToPage that adds the findings of an entry to the inputs of its form.
func Mark(entries entrydata.EntryHandlers) func(c *frame.Call, page *ui.Page) error {
	checks := health.Checks{Store: entries.Entries.Store}
	return func(c *frame.Call, page *ui.Page) error {
		if page.Form == nil {
			return nil
		}
		m, err := c.Model()
		if err != nil {
			return err
		}
		list, err := checks.Of(c.R.Context(), m, &cms.Entry{ID: c.R.PathValue("id")}, false)
		for _, f := range list.Items {
			if at := fieldAt(page.Form.Fields, f.Field); at != nil {
				at.Findings = append(at.Findings, wordsOf(f))
			}
		}
		return err
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
