package entrypages

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/entryforms"
	"headless/pkg/admin/formerrows"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/site"
)

// restoreRow puts a row of a former version of an entry into the draft again. chosen is the key of the field and the
// index of the row in old. The row takes the place of the one that it became in the version that the page showed, if
// that one is there. Else it follows the row that it followed. All other rows stay.
func (h Pages) restoreRow(c *frame.Call, m *site.Model, now *editing.Drafted, old *cms.Entry,
	chosen string) (frame.Result, error) {
	key, index, _ := strings.Cut(chosen, " ")
	name := strings.TrimPrefix(key, "data.")
	rows, _ := old.Data[name].([]any)
	was, err := strconv.Atoi(index)
	f := m.Field(name)
	if f == nil || !formerrows.Has(f) || err != nil || was < 0 || was >= len(rows) {
		return frame.Result{}, cms.Errorf(cms.CodeNotFound, "There is no such row.")
	}
	after, err := h.revision(c, m, now.Live, c.Form.Get("show"))
	if err != nil {
		return frame.Result{}, err
	}
	const tries = 10 // of a save at the same time as others
	for range tries {
		if formerrows.Digests(m, now.Entry)[key+" "+ui.Digest(rows[was])] { // it was put back before
			return frame.Result{Redirect: entrydata.EntryAt(c) + "/draft?ok=drafted"}, nil
		}
		names, err := h.NamesIn(c, m, old, after, now.Entry)
		if err != nil {
			return frame.Result{}, err
		}
		texts := func(e *cms.Entry) []ui.RowText { return rowTexts(names, *f, e.Data[name]) }
		became := slices.Index(ui.RowsFrom(texts(old), texts(after), true), was)
		stored := entryforms.StoredOf(m, now.Entry, now.RowIDs)
		present, _ := stored.Values[key].([]any)
		at := formerrows.Find(m, now.Entry, stored, after, key, became)
		present = formerrows.Put(present, rows[was], at, ui.RowsFrom(texts(old), texts(now.Entry), false), was)
		saved, _, err := h.saveFields(c, m, now, stored, entryforms.Nest(map[string]any{key: present}))
		if errors.Is(err, errMoved) {
			if _, now, err = h.readDrafted(c); err == nil {
				continue
			}
		}
		if err != nil {
			return frame.Result{}, err
		}
		result, err := h.draftResult(c, saved)
		result.Redirect = entrydata.EntryAt(c) + "/draft?ok=drafted"
		return result, err
	}
	return frame.Result{}, errOthersSave
}
