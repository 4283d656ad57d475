package entrypages

import (
	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/editing"
)

// EntryView is the data of the bar above every page of an entry.
type EntryView = entryView

// TabPage returns a page of an entry without content, with its view and the entry: another package
// adds its template.
func TabPage(c *frame.Call, h entrydata.EntryHandlers) (*ui.Page, *EntryView, *editing.Drafted, error) {
	pages := entryPages{h}
	site, m, d, err := pages.drafted(c)
	if err != nil {
		return nil, nil, nil, err
	}
	page, view, err := pages.tabPage(c, site, m, d)
	return page, view, d, err
}
