package transfer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/editing/takeback"
	"headless/pkg/input"
	"headless/pkg/site"
)

// CSVImport saves rows of a CSV file as entries of a model (extensions §16).
type CSVImport struct {
	Entries *editing.Entries
	Model   string
	Columns []string // those of the file
	// Publish publishes each entry that a row makes or changes. Otherwise the row of a published entry becomes its draft.
	Publish bool
	// Saving is called before an entry is saved, with the result and the description of the save. id is "" for a new
	// entry.
	Saving func(result, id string, saved takeback.Saved)
}

// Row saves a row. The entry is that with the id of the row, else that with its slug and locale, else a
// new one. result is one of the results of package input. Errors: those of the save, with the names of columns as
// paths.
func (i CSVImport) Row(ctx context.Context, actor cms.Actor, row CSVRow) (result string, err error) {
	if len(row.Cells) != len(i.Columns) {
		return "", cms.Errorf(cms.CodeValidationFailed, "The row has %d cells, the header %d.", len(row.Cells),
			len(i.Columns))
	}
	now, err := i.Entries.Store.Site(ctx)
	if err != nil {
		return "", err
	}
	m, err := now.ActiveModel(i.Model)
	if err != nil {
		return "", err
	}
	found, err := i.findEntry(ctx, now, m, row)
	if err != nil {
		return "", err
	}
	if found == nil {
		return i.create(ctx, actor, now, m, row)
	}
	body, err := i.changes(ctx, now, m, row, found.Live)
	if err != nil {
		return "", err
	}
	drafted := found.Live.Status == cms.StatusPublished && !i.Publish
	if drafted && len(body) > 0 {
		if body, err = i.changes(ctx, now, m, row, found.Entry); err != nil {
			return "", err
		}
	}
	if len(body) == 0 {
		return input.ImportUnchanged, nil
	}
	if i.Publish {
		body["status"] = string(cms.StatusPublished)
	}
	saved := takeback.Saved{Version: found.Live.Version + 1, Was: found.Live.Version}
	if drafted {
		saved = takeback.Saved{Draft: found.Number + 1, Was: found.Number, First: found.Info == nil}
	}
	i.Saving(input.ImportUpdated, found.Live.ID, saved)
	if drafted {
		_, err = i.Entries.SaveDraft(ctx, actor, i.Model, found.Live.ID, body, nil)
	} else {
		_, err = i.Entries.Update(ctx, actor, i.Model, found.Live.ID, body, nil)
	}
	return input.ImportUpdated, i.byColumn(err)
}

// cell returns the cell of a row in a column, "" if the file has no such column.
func (i CSVImport) cell(row CSVRow, column string) string {
	if at := slices.Index(i.Columns, column); at >= 0 {
		return row.Cells[at]
	}
	return ""
}

// findEntry reads the entry of a row, nil if it has none.
func (i CSVImport) findEntry(ctx context.Context, now *site.Site, m *site.Model, row CSVRow) (*editing.Drafted, error) {
	id, ok := input.CanonicalID(i.cell(row, "id"))
	if ok {
		found, err := i.Entries.DraftOrLive(ctx, m.Slug, id)
		if cms.CodeOf(err) != cms.CodeEntryNotFound {
			return found, err
		}
	}
	slug := unquoteCSV(i.cell(row, "slug"))
	if slug == "" {
		return nil, nil
	}
	locale := cmp.Or(i.cell(row, "locale"), now.Default)
	item, err := i.Entries.Store.EntryBySlug(ctx, m, locale, slug, false)
	if err != nil {
		return nil, db.Missing(err, nil)
	}
	e, err := item.Decoded()
	if err != nil {
		return nil, err
	}
	if e.Slug != slug || m.KeyLocale(e.Locale) != m.KeyLocale(locale) { // a former slug
		return nil, nil
	}
	return i.Entries.DraftOrLive(ctx, m.Slug, e.ID)
}

// create saves a row as a new entry, which may be incomplete unless it is published.
func (i CSVImport) create(ctx context.Context, actor cms.Actor, now *site.Site, m *site.Model,
	row CSVRow) (string, error) {
	body, err := i.changes(ctx, now, m, row, &cms.Entry{Data: map[string]any{}})
	if err != nil {
		return "", err
	}
	i.Saving(input.ImportCreated, "", takeback.Saved{Version: 1, Created: true})
	if i.Publish {
		body["status"] = string(cms.StatusPublished)
		_, err = i.Entries.Create(ctx, actor, i.Model, body)
	} else {
		_, err = i.Entries.CreateIncomplete(ctx, actor, i.Model, body)
	}
	return input.ImportCreated, i.byColumn(err)
}

// changes returns the body that saves what a row has and an entry does not.
func (i CSVImport) changes(ctx context.Context, now *site.Site, m *site.Model, row CSVRow,
	e *cms.Entry) (map[string]any, error) {
	body, seo, p := map[string]any{}, map[string]any{}, cms.Problems{}
	data, _ := cms.CloneJSON(e.Data).(map[string]any)
	columns := csvColumns(&m.Model)
	for at, name := range i.Columns {
		cell, known := row.Cells[at], slices.IndexFunc(columns, func(c csvColumn) bool { return c.name == name })
		if known < 0 { // it was removed since the file was sent
			p.Add(name, "is not a known field")
		}
		if cell == "" || known < 0 {
			continue
		}
		text := any(unquoteCSV(cell))
		if cell == csvClear {
			text = nil
		}
		put := func(body map[string]any, key, was string) {
			if !sameText(text, was) && (text != nil || was != "") {
				body[key] = text
			}
		}
		switch name {
		case "id", "status", "published_at":
		case "locale":
			put(body, name, e.Locale)
		case "slug":
			put(body, name, e.Slug)
		case "title":
			put(body, name, e.Title)
		case "seo.title":
			put(seo, "title", e.SEO.Title)
		case "seo.description":
			put(seo, "description", e.SEO.Description)
		case "seo.noindex":
			value, problem := csvCell(columns[known].field, cell)
			if on := value == true; problem != "" {
				p.Add(name, "%s", problem)
			} else if on != e.SEO.Noindex {
				seo["noindex"] = on
			}
		default:
			value, problem := csvCell(columns[known].field, cell)
			if problem != "" {
				p.Add(name, "%s", problem)
				continue
			}
			path := strings.Split(strings.TrimPrefix(name, "data."), ".")
			if err := i.nameModels(ctx, now, columns[known].field, valueAt(data, path), value); err != nil {
				return nil, err
			}
			setPath(data, path, value)
		}
	}
	if len(seo) > 0 {
		body["seo"] = seo
	}
	changed := map[string]any{}
	for name, value := range data {
		if !sameValue(m.Field(name), value, e.Data[name]) {
			changed[name] = value
		}
	}
	if len(changed) > 0 {
		body["data"] = changed
	}
	return body, p.Err()
}

// csvCell returns the value of a cell of a field, or what is wrong with it.
func csvCell(f *cms.Field, cell string) (value any, problem string) {
	text := unquoteCSV(cell)
	switch {
	case cell == csvClear:
		return nil, ""
	case f.HasFields() || f.Type == cms.TypeJSON:
		value, err := cms.DecodeJSON([]byte(text))
		if err != nil {
			return nil, "must be valid JSON"
		}
		return value, ""
	case f.Type == cms.TypeNumber:
		if _, ok := query.ParseDecimal(cell); !ok {
			return nil, "must be a number"
		}
		return json.Number(cell), ""
	case f.Type == cms.TypeBoolean:
		switch strings.ToLower(cell) {
		case "true":
			return true, ""
		case "false":
			return false, ""
		}
		return nil, "must be true or false"
	case f.IsList():
		return asTargets(f, splitCSV(text)), ""
	case len(f.Models) > 0:
		return asTargets(f, []any{text})[0], ""
	}
	return text, ""
}

// asTargets makes ids in a list values of a relation to several models, whose models nameModels adds.
func asTargets(f *cms.Field, ids []any) []any {
	if len(f.Models) > 0 {
		for i, id := range ids {
			ids[i] = map[string]any{"model": "", "id": id}
		}
	}
	return ids
}

// nameModels adds the models of the entries in a value of a relation to several. Entries that do not exist any more
// have the models that the former value names.
func (i CSVImport) nameModels(ctx context.Context, now *site.Site, f *cms.Field, was, value any) error {
	if len(f.Models) == 0 {
		return nil
	}
	former := map[string]any{}
	for id, object := range targetsIn(was) {
		former[id] = object["model"]
	}
	var ids []string
	for id := range targetsIn(value) {
		ids = append(ids, id)
	}
	addresses, err := i.Entries.Store.Addresses(ctx, ids)
	for id, object := range targetsIn(value) {
		if m := now.ModelByID(addresses[id].ModelID); m != nil {
			object["model"] = m.Slug
		} else if model := former[id]; model != nil {
			object["model"] = model
		}
	}
	return err
}

// targetsIn yields the objects in a value of a relation to several models, with the ids in them.
func targetsIn(value any) iter.Seq2[string, map[string]any] {
	items, isList := value.([]any)
	if !isList {
		items = []any{value}
	}
	return func(yield func(string, map[string]any) bool) {
		for _, item := range items {
			object, _ := item.(map[string]any)
			if id, ok := input.CanonicalID(fmt.Sprint(object["id"])); ok && !yield(id, object) {
				return
			}
		}
	}
}

// valueAt returns the value at a path in groups, nil if there is none.
func valueAt(object map[string]any, path []string) any {
	if len(path) == 1 {
		return object[path[0]]
	}
	inner, _ := object[path[0]].(map[string]any)
	return valueAt(inner, path[1:])
}

// setPath sets a value in groups, which it makes where they are missing; nil removes it.
func setPath(object map[string]any, path []string, value any) {
	if len(path) > 1 {
		inner, ok := object[path[0]].(map[string]any)
		if !ok {
			if value == nil {
				return
			}
			inner = map[string]any{}
			object[path[0]] = inner
		}
		setPath(inner, path[1:], value)
		return
	}
	if _, had := object[path[0]]; value == nil && !had {
		return
	}
	object[path[0]] = value
}

// sameValue reports whether two values of a field are equal, null and missing ones too.
func sameValue(f *cms.Field, a, b any) bool {
	x, isNumber := a.(json.Number)
	y, wasNumber := b.(json.Number)
	if isNumber && wasNumber {
		left, _ := query.ParseDecimal(string(x))
		right, _ := query.ParseDecimal(string(y))
		return left.Compare(right) == 0
	}
	if sameText(a, b) {
		return true
	}
	left, isGroup := a.(map[string]any)
	right, wasGroup := b.(map[string]any)
	if f == nil || f.Type != cms.TypeGroup || !isGroup || !wasGroup {
		return reflect.DeepEqual(a, b)
	}
	for i := range f.Fields {
		inner := &f.Fields[i]
		if !sameValue(inner, left[inner.Name], right[inner.Name]) {
			return false
		}
	}
	return true
}

// sameText reports whether two values are texts that do not differ, or differ only in how their lines end:
// CSV files have no carriage returns of their own.
func sameText(a, b any) bool {
	x, is := a.(string)
	y, was := b.(string)
	return is && was && (x == "") == (y == "") && strings.ReplaceAll(x, "\r", "") == strings.ReplaceAll(y, "\r", "")
}

// byColumn names the columns of the file, and not places within their values, in the problems of a save.
func (i CSVImport) byColumn(err error) error {
	var refused *cms.Error
	if !errors.As(err, &refused) || len(refused.Details) == 0 {
		return err
	}
	told := *refused
	told.Details = cms.Problems{}
	for path, messages := range refused.Details {
		column := path
		for !slices.Contains(i.Columns, column) && strings.Contains(column, ".") {
			column = column[:strings.LastIndexByte(column, '.')]
		}
		if !slices.Contains(i.Columns, column) {
			column = path
		}
		for _, message := range messages {
			if column != path && slices.Contains(i.Columns, column) {
				message = path + ": " + message
			}
			told.Details.Add(column, "%s", message)
		}
	}
	return &told
}
