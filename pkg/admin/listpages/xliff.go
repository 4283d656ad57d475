package listpages

import (
	"context"
	"net/url"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/site"
	"headless/pkg/transfer/xliff"
	"headless/pkg/web"
)

// XLIFFRoutes are the routes that exchange texts with translators as XLIFF files (extensions §3).
func XLIFFRoutes(entries entrydata.EntryHandlers) []frame.Route {
	h := xliffHandlers{entries, xliff.Exchange{Entries: entries.Entries,
		SaveAlt: func(ctx context.Context, actor cms.Actor, file, locale, text string) error {
			_, err := entries.Files.Update(ctx, actor, file, map[string]any{"alts": map[string]any{locale: text}}, nil)
			return err
		}}}
	return []frame.Route{
		{Method: "GET", Pattern: "/models/{slug}/entries.xliff", Role: cms.RoleViewer, Handle: h.export},
		{Method: "POST", Pattern: "/models/{slug}/entries.xliff", Role: cms.RoleEditor, Handle: h.saveFile,
			Form: h.uploadPage},
		{Method: "GET", Pattern: "/models/{slug}/xliff", Role: cms.RoleEditor, Handle: frame.ShowPage(h.downloadPage)},
		{Method: "POST", Pattern: "/models/{slug}/xliff", Role: cms.RoleEditor, Handle: h.choose},
		{Method: "GET", Pattern: "/models/{slug}/xliff/upload", Role: cms.RoleEditor,
			Handle: frame.ShowPage(h.uploadPage)},
	}
}

type xliffHandlers struct {
	entrydata.EntryHandlers
	exchange xliff.Exchange
}

// localizedModel returns the model of a call if its entries have translations.
func (h xliffHandlers) localizedModel(c *frame.Call) (*site.Model, error) {
	m, err := h.Model(c)
	if err == nil && !m.Localized {
		err = cms.Errorf(cms.CodeBadRequest, "The entries of %s have no translations.", m.Name)
	}
	return m, err
}

// writableModel is localizedModel for those who may write some of the entries.
func (h xliffHandlers) writableModel(c *frame.Call) (*site.Model, error) {
	m, err := h.Model(c)
	if err == nil {
		err = cms.PermissionsOf(c.R.Context()).Check(cms.ActionWrite, m.Slug, "", "model")
	}
	if err != nil {
		return nil, err
	}
	return h.localizedModel(c)
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
