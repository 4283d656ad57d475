package entrypages

import (
	"net/url"
	"slices"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/groups"
	"headless/pkg/input"
	"headless/pkg/site"
)

// localeTabs returns the translations of an entry in the order of locales. A translation is behind
// if it was last changed before the entry in the default locale.
func (h entryPages) localeTabs(c *frame.Call, site *site.Site, m *site.Model,
	e *cms.Entry) ([]ui.LocaleTab, error) {
	if !m.Localized || len(site.Locales) < 2 {
		return nil, nil
	}
	members, err := h.translationsOf(c, m, e)
	if err != nil {
		return nil, err
	}
	at := ui.Base + "/models/" + m.Slug + "/entries/"
	var tabs, missing []ui.LocaleTab
	for _, l := range site.Locales {
		if !l.IsActive && members[l.Code] == nil {
			continue
		}
		tab := ui.LocaleTab{Code: l.Code, Name: l.NativeName, Here: l.Code == e.Locale}
		if tab.Name == "" {
			tab.Name = l.Name
		}
		other := members[l.Code]
		switch {
		case other != nil:
			tab.ID, tab.Href, tab.State = other.ID, at+other.ID,
				translationState(other, members[site.Default])
			if !tab.Here {
				tab.Beside = at + e.ID + "?beside=" + other.ID
			}
		case h.MayWrite(c, m, &cms.Entry{Locale: l.Code}):
			tab.Translate = at + e.ID + "/translate"
			missing = append(missing, tab)
		default:
			continue
		}
		tabs = append(tabs, tab)
	}
	if len(missing) > ui.FewLocales {
		tabs = append(slices.DeleteFunc(tabs, func(tab ui.LocaleTab) bool { return tab.ID == "" }),
			ui.LocaleTab{Translate: missing[0].Translate, Missing: missing})
	}
	return tabs, nil
}

// translatorActions lead to the files with the texts of an entry for translators (extensions §3).
func translatorActions(c *frame.Call, m *site.Model) []ui.Action {
	if !c.MayDo(cms.ActionWrite, m.Slug, "") {
		return nil
	}
	at := ui.Base + "/models/" + url.PathEscape(m.Slug) + "/xliff"
	return []ui.Action{{Label: "Download for translators", Href: at + "?ids=" + url.QueryEscape(c.R.PathValue("id"))},
		{Label: "Upload a translation", Href: at + "/upload"}}
}

// translationsOf returns the translations of an entry by locale, including the entry itself.
func (h entryPages) translationsOf(c *frame.Call, m *site.Model,
	e *cms.Entry) (map[string]*cms.Entry, error) {
	of, err := groups.Of(c.R.Context(), h.Entries.Store, m, []string{e.ID})
	if err != nil {
		return nil, err
	}
	var refs []content.Reference
	for _, id := range of[0].Members {
		refs = append(refs, content.Reference{Model: m, ID: id})
	}
	found, err := h.Entries.Store.EntriesByID(c.R.Context(), refs)
	if err != nil {
		return nil, err
	}
	members := map[string]*cms.Entry{e.Locale: e}
	for _, other := range found {
		if other != nil && other.ID != e.ID && members[other.Locale] == nil {
			members[other.Locale] = other
		}
	}
	return members, nil
}

func translationState(e, original *cms.Entry) ui.Cell {
	switch {
	case original != nil && original.ID != e.ID && e.UpdatedAt.Before(original.UpdatedAt.Time):
		return ui.Cell{Text: "behind", Kind: "warn"}
	case e.Status == cms.StatusPublished:
		return ui.Cell{Text: "live", Kind: "good"}
	}
	return ui.Cell{Text: say.Known(string(e.Status)), Kind: "grey"}
}

// translate creates a translation of an entry, with or without its texts, and redirects to it with
// the original beside it. The rest of the content, such as pictures and relations, is copied.
func (h entryPages) translate(c *frame.Call) (frame.Result, error) {
	body, err := c.Body()
	if err != nil {
		return frame.Result{}, err
	}
	locale, texts, err := translationChoice(body)
	if err != nil {
		return frame.Result{}, err
	}
	now, m, d, err := h.readDrafted(c)
	if err != nil {
		return frame.Result{}, err
	}
	body, err = h.Entries.TranslationBody(c.R.Context(), now, m, d.Entry, locale, texts != "empty")
	if err != nil {
		return frame.Result{}, err
	}
	model := c.R.PathValue("slug")
	e, err := h.Entries.CreateIncomplete(c.R.Context(), c.Actor(), model, body)
	if err != nil {
		return frame.Result{}, err
	}
	to := "/models/" + url.PathEscape(model) + "/entries/" + e.ID + "?ok=created&beside=" + d.Live.ID
	return frame.Result{Status: 201, Data: entrydata.ShownEntry(e), Redirect: to}, nil
}

// translationChoice reads {locale, texts}. texts is copy, which is the default, or empty.
func translationChoice(body map[string]any) (locale, texts string, err error) {
	problems := cms.Problems{}
	into := map[string]*string{"locale": &locale, "texts": &texts}
	for key, v := range body {
		if form, ok := v.(input.FormValue); ok {
			v = form.Last()
		}
		text, ok := v.(string)
		switch {
		case into[key] == nil:
			problems.Add(key, "is not a known key")
		case !ok && v != nil:
			problems.Add(key, "must be a string")
		default:
			*into[key] = text
		}
	}
	if locale == "" && len(problems["locale"]) == 0 {
		problems.Add("locale", "is required")
	}
	if texts != "" && texts != "copy" && texts != "empty" {
		problems.Add("texts", "must be copy or empty")
	}
	return locale, texts, problems.Err()
}
