package api

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/service"
	"headless/pkg/store"
)

// view shows entries to one request: limited to visible fields and to those asked for, with includes resolved.
type view struct {
	c       *Call
	h       entries
	full    *store.Model
	model   *cms.Model      // as the key may see it
	fields  map[string]bool // top-level keys to show; nil: all
	data    map[string]bool // keys of data to show; nil: all
	include *service.Include
}

// entryKeys are the top-level keys in the order of the API (decisions §2).
var entryKeys = []string{"id", "slug", "title", "status", "locale", "data", "seo", "published_at", "created_at", "updated_at", "version"}

func visible(c *Call, m *store.Model) *cms.Model {
	if c.IsAdmin() {
		return &m.Model
	}
	return m.Visible()
}

// view reads fields and include.
func (h entries) view(c *Call, m *store.Model) (*view, error) {
	v := &view{c: c, h: h, full: m, model: visible(c, m)}
	q := c.R.URL.Query()
	if err := v.parseFields(q.Get("fields")); err != nil {
		return nil, err
	}
	var err error
	v.include, err = service.ParseInclude(c.Site, v.model, q.Get("include"), c.IsAdmin())
	return v, err
}

func (v *view) parseFields(s string) error {
	if s == "" {
		return nil
	}
	v.fields, v.data = map[string]bool{"id": true}, map[string]bool{}
	for _, name := range strings.Split(s, ",") {
		key, inData := strings.CutPrefix(name, "data.")
		switch {
		case inData && v.model.Field(key) != nil:
			v.fields["data"], v.data[key] = true, true
		case !inData && slices.Contains(entryKeys, name):
			v.fields[name] = true
		default:
			known := slices.Clone(entryKeys)
			for _, f := range v.model.Fields {
				known = append(known, "data."+f.Name)
			}
			return cms.Errorf(cms.CodeBadRequest, "Unknown field %q in fields. Known: %s.", name, strings.Join(known, ", "))
		}
	}
	if len(v.data) == 0 || slices.Contains(strings.Split(s, ","), "data") {
		v.data = nil
	}
	return nil
}

// plain tells whether entries are shown exactly as they are stored.
func (v *view) plain() bool {
	return v.fields == nil && v.include == nil && v.model == &v.full.Model
}

func (v *view) render(item store.EntryItem) (json.RawMessage, error) {
	list, err := v.renderEach([]store.EntryItem{item})
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// renderAll gives the JSON array of a page.
func (v *view) renderAll(items []store.EntryItem) (json.RawMessage, error) {
	list, err := v.renderEach(items)
	if err != nil {
		return nil, err
	}
	return slices.Concat([]byte("["), bytes.Join(rawBytes(list), []byte(",")), []byte("]")), nil
}

func rawBytes(list []json.RawMessage) [][]byte {
	parts := make([][]byte, len(list))
	for i := range list {
		parts[i] = list[i]
	}
	return parts
}

func (v *view) renderEach(items []store.EntryItem) ([]json.RawMessage, error) {
	list := make([]json.RawMessage, len(items))
	if v.plain() {
		for i := range items {
			list[i] = items[i].JSON
		}
		return list, nil
	}
	shown := make([]map[string]any, len(items))
	raw := make([]*cms.Entry, len(items))
	for i := range items {
		e, err := items[i].Decoded()
		if err != nil {
			return nil, err
		}
		raw[i], shown[i] = e, v.visibleData(e.Data)
	}
	if err := v.h.service.Resolve(v.c.Context(), v.include, shown); err != nil {
		return nil, err
	}
	for i, e := range raw {
		var err error
		if list[i], err = v.encode(e, shown[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// visibleData is a copy of data without hidden fields and those not asked for.
func (v *view) visibleData(data map[string]any) map[string]any {
	data = service.VisibleData(&v.full.Model, v.model, data)
	if v.data != nil {
		maps.DeleteFunc(data, func(key string, _ any) bool { return !v.data[key] })
	}
	return data
}

// encode writes the keys in their order.
func (v *view) encode(e *cms.Entry, data map[string]any) (json.RawMessage, error) {
	shown := *e
	shown.Data = data
	raw, err := cms.Marshal(&shown)
	if err != nil || v.fields == nil {
		return raw, err
	}
	return appendKeys(nil, raw, entryKeys, slices.Collect(maps.Keys(v.fields)))
}
