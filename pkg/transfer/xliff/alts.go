package xliff

import (
	"context"
	"errors"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/editing/takeback"
	"headless/pkg/input"
	"headless/pkg/refs"
)

// altPrefix starts the path of the alternative text of a file, before the id of the file.
const altPrefix = "media-"

// altsOf returns, for each entry, the alternative texts of the files that it shows without a text of its own. target
// is the present text in the locale to which they are translated.
func (x Exchange) altsOf(ctx context.Context, m *cms.Model, locale string, entries ...*cms.Entry) ([][]text, error) {
	var all []string
	ids := make([][]string, len(entries))
	for i, e := range entries {
		ids[i] = filesIn(m, e)
		all = append(all, ids[i]...)
	}
	files, err := x.Entries.MediaInline(ctx, all)
	if err != nil {
		return nil, err
	}
	alts := make([][]text, len(entries))
	for i, e := range entries {
		for _, id := range ids[i] {
			file, ok := files[id].(*cms.MediaInline)
			if !ok {
				continue
			}
			if alt := file.In(e.Locale).Alt; strings.TrimSpace(alt) != "" {
				alts[i] = append(alts[i],
					text{path: altPrefix + id, file: file.Name, value: alt, target: file.Alts[locale]})
			}
		}
	}
	return alts, nil
}

// LackAlts returns those of the entries that show a file whose alternative text is not in the locale.
func (x Exchange) LackAlts(ctx context.Context, m *cms.Model, locale string,
	entries []*cms.Entry) (lacking []*cms.Entry, err error) {
	alts, err := x.altsOf(ctx, m, locale, entries...)
	if err != nil {
		return nil, err
	}
	for i, e := range entries {
		if slices.ContainsFunc(alts[i], func(t text) bool { return t.target == "" }) {
			lacking = append(lacking, e)
		}
	}
	return lacking, nil
}

// filesIn returns the ids of the files in media fields of an entry, and of the pictures without a text of their own
// in its texts.
func filesIn(m *cms.Model, e *cms.Entry) (ids []string) {
	for _, r := range refs.References(m, e.Data) {
		if r.Kind == cms.TypeMedia {
			ids = append(ids, strings.ToLower(r.ID))
		}
	}
	refs.EachText(m.Fields, e.Data, func(_, text string) { ids = append(ids, refs.BarePictures(text)...) })
	slices.Sort(ids)
	return slices.Compact(ids)
}

// takeAlts removes the alternative texts of files from texts and returns them.
func takeAlts(texts map[string]string) map[string]string {
	alts := map[string]string{}
	for path, text := range texts {
		if strings.HasPrefix(path, altPrefix) {
			alts[path] = text
			delete(texts, path)
		}
	}
	return alts
}

// saveAlts saves the translated alternative texts of files, by their paths. It warns of those that the actor may not
// change.
func (x *importer) saveAlts(ctx context.Context, alts []text, texts map[string]string, t *Taken) error {
	for _, alt := range alts {
		to, ok := texts[alt.path]
		if !ok || to == alt.target {
			continue
		}
		id, saved := strings.TrimPrefix(alt.path, altPrefix), takeback.Text{Locale: x.locale, Now: to}
		err := x.SaveAlt(ctx, x.actor, id, x.locale, to, func(was string) error {
			saved.Was = was
			return nil
		})
		if err == nil {
			t.Saved[takeback.Item(cms.AreaMedia, id)] = takeback.Saved{Text: &saved}
		}
		var e *cms.Error
		switch {
		case err == nil && t.Result == input.ImportUnchanged:
			t.Result = input.ImportUpdated
		case err == nil:
		case errors.As(err, &e) && e.Code != cms.CodeUnavailable:
			t.Warnings.Add(alt.path, "was left out for %s", alt.file)
			t.Warnings.Add(alt.path, "%s", e.Message)
		default:
			return err
		}
	}
	return nil
}
