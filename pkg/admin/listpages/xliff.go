package listpages

import (
	"net/url"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/planning/bulk"
	"headless/pkg/site"
	"headless/pkg/transfer/xliff"
	"headless/pkg/web"
)

// XLIFFRoutes returns the routes that exchange texts with translators as XLIFF files (extensions §3).
func XLIFFRoutes(entries entrydata.EntryHandlers, jobs *bulk.Jobs) []frame.Route {
	h := xliffHandlers{entries, xliff.Exchange{Entries: entries.Entries, SaveAlt: jobs.Texts[cms.AreaMedia]}, jobs}
	download := frame.OfModel(h.downloadPage, frame.MayWriteModel, localized)
	upload := frame.OfModel(h.uploadPage, frame.MayWriteModel, localized)
	return []frame.Route{
		{Method: "GET", Pattern: "/models/{slug}/entries.xliff", Role: cms.RoleViewer,
			Handle: frame.OfModel(h.export, localized)},
		{Method: "POST", Pattern: "/models/{slug}/entries.xliff", Role: cms.RoleEditor,
			Handle: frame.OfModel(h.saveFile, frame.MayWriteModel, localized), Form: upload},
		{Method: "GET", Pattern: "/models/{slug}/xliff", Role: cms.RoleEditor, Handle: frame.ShowPage(download)},
		{Method: "POST", Pattern: "/models/{slug}/xliff", Role: cms.RoleEditor,
			Handle: frame.OfModel(h.choose, frame.MayWriteModel, localized)},
		{Method: "GET", Pattern: "/models/{slug}/xliff/upload", Role: cms.RoleEditor, Handle: frame.ShowPage(upload)},
	}
}

type xliffHandlers struct {
	entrydata.EntryHandlers
	exchange xliff.Exchange
	jobs     *bulk.Jobs
}

// localized refuses a model whose entries have no translations.
func localized(_ *frame.Call, m *site.Model) error {
	if !m.Localized {
		return cms.Errorf(cms.CodeBadRequest, "The entries of %s have no translations.", m.Name)
	}
	return nil
}

// xliffAddress returns the address of the page for translators, with the filters of a list or some ids. The language
// of the list says nothing about the translation: an entry in another one stands for its original.
func xliffAddress(m *site.Model, params url.Values) string {
	kept := url.Values{}
	for name, values := range params {
		if name != languageKey && (name == "q" || name == "ids" || web.IsFilter(name)) && params.Get(name) != "" {
			kept[name] = values
		}
	}
	address := ui.ModelPath(m.Slug) + "/xliff"
	if len(kept) > 0 {
		address += "?" + kept.Encode()
	}
	return address
}
