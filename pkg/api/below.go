package api

import (
	"cmp"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/input"
)

// entryID returns the id of the entry in the path of a route below it. "single" is the entry of a
// single-type model in the locale of the parameter locale, or in the default locale.
// ENTRY_NOT_FOUND for a slug.
func entryID(c *pipeline.Call, s *editing.Entries) (string, error) {
	what := c.R.PathValue("idOrSlug")
	if id, ok := input.CanonicalID(what); ok {
		return id, nil
	}
	m, err := c.Site.ActiveModel(c.R.PathValue("model"))
	if err != nil {
		return "", err
	}
	if what != "single" || m.Kind != cms.KindSingle {
		return "", content.ErrEntryNotFound
	}
	asked := c.R.URL.Query().Get("locale")
	locale := cmp.Or(asked, c.Site.Default)
	if c.Site.Locale(locale) == nil {
		return "", content.ErrEntryNotFound
	}
	raw, err := s.Store.SingleJSON(c.Context(), m, locale)
	if err != nil {
		return "", db.Missing(err, content.ErrEntryNotFound)
	}
	head, err := headOf(raw)
	if err == nil && asked != "" && head.Locale != asked { // the model is not localized
		err = content.ErrEntryNotFound
	}
	return head.ID, err
}
