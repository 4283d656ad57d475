package entrypages

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/site"
	"headless/pkg/web"
)

func nativeName(l cms.Locale) string { return cmp.Or(l.NativeName, l.Name) }

// localeTabs returns the translations of an entry in the order of locales. A translation is outdated
// if it was last changed before the entry in the default locale.
func (h Pages) localeTabs(c *frame.Call, m *site.Model, e *cms.Entry) ([]ui.LocaleTab, error) {
	if !m.Localized || len(c.Site.Locales) < 2 {
		return nil, nil
	}
	of, err := h.Entries.Members(c.R.Context(), m, e)
	if err != nil {
		return nil, err
	}
	members, at := of[0], ui.Base+"/models/"+m.Slug+"/entries/"
	var tabs, missing []ui.LocaleTab
	for _, l := range c.Site.Locales {
		if !l.IsActive && members[l.Code] == nil {
			continue
		}
		tab := ui.LocaleTab{Code: l.Code, Name: nativeName(l), Here: l.Code == e.Locale}
		if slices.ContainsFunc(c.Site.Locales, func(other cms.Locale) bool {
			return other.Code != l.Code && nativeName(other) == tab.Name
		}) {
			tab.Name += " (" + l.Code + ")"
		}
		other := members[l.Code]
		switch {
		case other != nil:
			tab.ID, tab.Href, tab.State = other.ID, at+other.ID,
				translationState(other, members[c.Site.Default])
			tab.Outdated = entrydata.Outdated(other, members[c.Site.Default])
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
	if !entrydata.MayTranslate(c, m) {
		return nil
	}
	at := ui.Base + ui.ModelPath(m.Slug) + "/xliff"
	return []ui.Action{{Label: "Download for translators", Href: at + "?ids=" + url.QueryEscape(c.R.PathValue("id"))},
		{Label: "Upload a translation", Href: at + "/upload"}}
}

func translationState(e, original *cms.Entry) ui.Cell {
	switch {
	case entrydata.Outdated(e, original):
		return ui.Cell{Text: "outdated", Kind: "warn"}
	case e.Status == cms.StatusPublished:
		return ui.Cell{Text: "live", Kind: "good"}
	}
	return ui.Cell{Text: say.Known(string(e.Status)), Kind: "grey"}
}

// translatePage asks for the language of a translation, and whether it begins with the texts of the original.
func (h Pages) translatePage(c *frame.Call) (*ui.Page, error) {
	m, d, err := h.readDrafted(c)
	if err == nil {
		err = cms.PermissionsOf(c.R.Context()).Check(cms.ActionWrite, m.Slug, "", "entry")
	}
	if err != nil {
		return nil, err
	}
	of, err := h.Entries.Members(c.R.Context(), m, d.Live)
	if err != nil {
		return nil, err
	}
	into := ui.Field{Name: "locale", Label: "Translate to", Kind: "select", Value: c.R.URL.Query().Get("locale"),
		Options: ui.LocaleOptions(h.Translatable(c, m, of[0]))}
	if !m.Localized || len(into.Options) == 0 {
		return nil, web.ErrNothing
	}
	at := ui.Base + entrydata.EntryAt(c)
	texts := ui.Field{Name: "texts", Label: "Texts", Kind: "select", Value: "copy", Options: []ui.Option{
		{Value: "copy", Label: "Copy the texts"}, {Value: "empty", Label: "Start empty"}}}
	return &ui.Page{Title: "Translate", Crumbs: entryCrumbs(m, d.Entry, at),
		Form: &ui.Form{Action: at + "/translate", Method: http.MethodPost, Submit: "Translate", Cancel: at,
			Fields: []ui.Field{into, texts}}}, nil
}

// translate creates a translation of an entry, with or without its texts, and redirects to it with
// the original beside it. The rest of the content, such as pictures and relations, is copied.
func (h Pages) translate(c *frame.Call, body map[string]any) (frame.Result, error) {
	locale, texts, err := translationChoice(body)
	if err != nil {
		return frame.Result{}, err
	}
	m, d, err := h.readDrafted(c)
	if err != nil {
		return frame.Result{}, err
	}
	body, err = h.Entries.TranslationBody(c.R.Context(), c.Site, m, d.Entry, locale, texts != "empty")
	if err != nil {
		return frame.Result{}, err
	}
	model := c.R.PathValue("slug")
	e, err := h.Entries.CreateIncomplete(c.R.Context(), c.Actor(), model, body)
	if err != nil {
		return frame.Result{}, err
	}
	to := ui.EntriesPath(model) + "/" + e.ID + "?ok=created&beside=" + d.Live.ID
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
	problems.Require("locale", locale)
	if texts != "" && texts != "copy" && texts != "empty" {
		problems.Add("texts", "must be copy or empty")
	}
	return locale, texts, problems.Err()
}
