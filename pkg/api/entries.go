package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/httpjson"
	"headless/pkg/service"
	"headless/pkg/store"
)

// ContentRoutes are the catch-all routes of the content function.
func ContentRoutes(s *service.Entries) []Route {
	h := entries{s}
	return []Route{
		{Method: "GET", Pattern: "/{model}", Handle: h.list},
		{Method: "POST", Pattern: "/{model}", Handle: h.create, Scope: cms.ScopeWrite},
		{Method: "GET", Pattern: "/{model}/{idOrSlug}", Handle: h.get},
		{Method: "PUT", Pattern: "/{model}/{idOrSlug}", Handle: h.update, Scope: cms.ScopeWrite},
		{Method: "DELETE", Pattern: "/{model}/{idOrSlug}", Handle: h.delete, Scope: cms.ScopeDelete},
	}
}

type entries struct{ service *service.Entries }

// list answers GET /{model}: a page of entries, or the object of a single-type model.
func (h entries) list(c *Call) (Answer, error) {
	m, err := service.Model(c.Site, c.R.PathValue("model"))
	if err != nil {
		return Answer{}, err
	}
	if m.Kind == cms.KindSingle {
		return h.single(c, m)
	}
	v, err := h.view(c, m)
	if err != nil {
		return Answer{}, err
	}
	p, err := parseList(c.R.URL.Query(), v.model)
	if err != nil {
		return Answer{}, err
	}
	q := store.ListQuery{Paging: p.Paging, Cursor: p.Cursor, Sort: p.Sort}
	status, rest := take(p.Filters, "status")
	locale, rest := take(rest, "locale")
	where := locales(locale, c.Site)
	if !m.Localized {
		where = c.Site.Codes()
		if !wantsAny(locale) {
			rest = append(rest, locale...)
		}
	}
	q.Filters = rest
	page, err := h.service.List(c.Context(), c.Site, m, service.EntryQuery{
		ListQuery: q, Locales: where, Statuses: statuses(status, c.IsAdmin()), Q: p.Q, Public: !c.IsAdmin(),
	})
	if err != nil {
		return Answer{}, err
	}
	data, err := v.renderAll(page.Items)
	return Answer{Data: data, Meta: listMeta(page)}, err
}

// get answers GET /{model}/{idOrSlug}, and /{model}/single.
func (h entries) get(c *Call) (Answer, error) {
	m, err := service.Model(c.Site, c.R.PathValue("model"))
	if err != nil {
		return Answer{}, err
	}
	what := c.R.PathValue("idOrSlug")
	if m.Kind == cms.KindSingle && what == "single" {
		return h.single(c, m)
	}
	id, err := uuid.Parse(what)
	if err != nil || len(what) != 36 {
		if cms.SlugProblem(what) != "" {
			return Answer{}, errEntryNotFound
		}
		return h.one(c, m, func(locale string) ([]byte, error) {
			return h.service.Store.EntryJSONBySlug(c.Context(), m, locale, what)
		})
	}
	return h.one(c, m, func(string) ([]byte, error) {
		return h.service.Store.EntryJSON(c.Context(), m, id.String())
	})
}

func (h entries) single(c *Call, m *store.Model) (Answer, error) {
	return h.one(c, m, func(locale string) ([]byte, error) {
		return h.service.Store.SingleJSON(c.Context(), m, locale)
	})
}

// one reads and shows a single entry. A locale that is asked for must be the entry's.
func (h entries) one(c *Call, m *store.Model, read func(locale string) ([]byte, error)) (Answer, error) {
	v, err := h.view(c, m)
	if err != nil {
		return Answer{}, err
	}
	asked := c.R.URL.Query().Get("locale")
	if asked == "" {
		asked = c.R.URL.Query().Get("filter[locale]")
	}
	locale := asked
	if locale == "" {
		locale = c.Site.Default
	}
	if c.Site.Locale(locale) == nil {
		return Answer{}, errEntryNotFound
	}
	raw, err := read(locale)
	if errors.Is(err, store.ErrNotFound) {
		return Answer{}, errEntryNotFound
	}
	if err != nil {
		return Answer{}, err
	}
	item := store.EntryItem{JSON: raw}
	if asked != "" || !c.IsAdmin() {
		// Status and locale stand in the head of the stored JSON; the data is not decoded for them.
		head, err := headOf(raw)
		if err != nil {
			return Answer{}, err
		}
		if asked != "" && head.Locale != asked || !c.IsAdmin() && head.Status != cms.StatusPublished {
			return Answer{}, errEntryNotFound
		}
	}
	data, err := v.render(item)
	return Answer{Data: data}, err
}

var errEntryNotFound = cms.Errorf(cms.CodeEntryNotFound, "There is no such entry in this model and locale.")

type entryHead struct {
	Status cms.Status
	Locale string
}

// headOf reads the keys before data from the stored JSON of an entry.
func headOf(raw []byte) (head entryHead, err error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		return head, err
	}
	for {
		key, err := dec.Token()
		if err != nil {
			return head, err
		}
		if key == "data" {
			return head, nil
		}
		value, err := dec.Token()
		if err != nil {
			return head, err
		}
		text, _ := value.(string)
		switch key {
		case "status":
			head.Status = cms.Status(text)
		case "locale":
			head.Locale = text
		}
	}
}

func (h entries) create(c *Call) (Answer, error) {
	body, err := httpjson.DecodeBody(c.R)
	if err != nil {
		return Answer{}, err
	}
	e, err := h.service.Create(c.Context(), c.Actor(), c.R.PathValue("model"), body)
	return h.written(c, http.StatusCreated, e, err)
}

func (h entries) update(c *Call) (Answer, error) {
	body, err := httpjson.DecodeBody(c.R)
	if err != nil {
		return Answer{}, err
	}
	e, err := h.service.Update(c.Context(), c.Actor(), c.R.PathValue("model"), c.R.PathValue("idOrSlug"), body, h.precondition(c))
	return h.written(c, http.StatusOK, e, err)
}

func (h entries) delete(c *Call) (Answer, error) {
	err := h.service.Delete(c.Context(), c.Actor(), c.R.PathValue("model"), c.R.PathValue("idOrSlug"), h.precondition(c))
	return Answer{Status: http.StatusNoContent}, err
}

// written shows the entry as its own write left it, whatever its status.
func (h entries) written(c *Call, status int, e *cms.Entry, err error) (Answer, error) {
	if err != nil {
		return Answer{}, err
	}
	tag, data, err := h.tagOf(c, e)
	return Answer{Status: status, Data: data, Header: http.Header{"Etag": {tag}}}, err
}

// precondition is If-Match: it must name the entry as GET /{model}/{id} without parameters shows it to the same key.
func (h entries) precondition(c *Call) service.Precondition[*cms.Entry] {
	headers := c.R.Header.Values("If-Match")
	if len(headers) == 0 {
		return nil
	}
	return func(current *cms.Entry) error {
		tag, _, err := h.tagOf(c, current)
		if err == nil && !matchesTag(headers, tag, false) {
			err = cms.Errorf(cms.CodePreconditionFailed, "The entry was changed since it was read.")
		}
		return err
	}
}

// tagOf is the ETag and the data of an entry as GET without parameters answers.
func (h entries) tagOf(c *Call, e *cms.Entry) (string, json.RawMessage, error) {
	m, err := service.Model(c.Site, c.R.PathValue("model"))
	if err != nil {
		return "", nil, err
	}
	raw, err := cms.Marshal(e)
	if err != nil {
		return "", nil, err
	}
	v := &view{c: c, h: h, full: m, model: visible(c, m)}
	data, err := v.render(store.EntryItem{JSON: raw, Entry: e})
	if err != nil {
		return "", nil, err
	}
	body, err := httpjson.Envelope(data, nil)
	return ETag(body), data, err
}
