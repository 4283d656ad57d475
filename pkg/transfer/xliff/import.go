package xliff

import (
	"cmp"
	"context"
	"errors"
	"hash/fnv"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/editing/takeback"
	"headless/pkg/groups"
	"headless/pkg/input"
	"headless/pkg/site"
)

// Taken says what became of the texts of one entry.
type Taken struct {
	ID          string       `json:"id"` // of the entry that was translated
	Title       string       `json:"title"`
	Translation string       `json:"translation"` // id of the translation, "" if there is none
	Result      string       `json:"result"`      // created, updated, unchanged or failed
	Texts       int          `json:"texts"`       // how many the file has in the other language, 0 if they were not saved
	Warnings    cms.Problems `json:"warnings"`
	Error       *Failure     `json:"error"`
	// Saved has the saves, by the id of the entry, or of the file as takeback.Item.
	Saved map[string]takeback.Saved `json:"-"`
}

// Failure says why the texts of an entry were not saved.
type Failure struct {
	Code    cms.Code     `json:"code"`
	Message string       `json:"message"`
	Details cms.Problems `json:"details,omitempty"`
}

// workers is how many entries of a file are saved at a time.
const workers = 8

// ResultFailed is the result of an entry whose texts were not saved.
const ResultFailed = "failed"

// Languages says for which locale a file was taken, and which language tag it has.
type Languages struct{ Locale, Tag string }

// Import saves the translations in a file as new entries of status draft, and as drafts of those that
// are there. Each entry is saved or refused by itself. An error after the first save comes with the saves before it.
// Errors: VALIDATION_FAILED about the field file if it cannot be read, has another language, or has no entry of this
// model.
func (x Exchange) Import(ctx context.Context, actor cms.Actor, now *site.Site, m *site.Model,
	from io.Reader) (taken []Taken, into Languages, err error) {
	d, err := readDocument(from)
	if err != nil {
		return nil, into, err
	}
	into = Languages{localeOf(now, d.Target), d.Target}
	if into.Locale == "" {
		return nil, into, refuse("is a translation to %q, which is no active locale of this service", cms.Shorten(d.Target))
	}
	im := importer{x, actor, now, m, cmp.Or(localeOf(now, d.Source), d.Source), into.Locale}
	taken = make([]Taken, len(d.Files))
	var g errgroup.Group
	g.SetLimit(workers)
	for i := range d.Files {
		g.Go(func() error {
			t := &taken[i]
			t.ID, t.Warnings, t.Saved = d.Files[i].ID, cms.Problems{}, map[string]takeback.Saved{}
			err := im.takeEntry(ctx, &d.Files[i], t)
			if e, ok := errors.AsType[*cms.Error](err); ok && e.Code != cms.CodeUnavailable {
				t.Result, t.Texts, t.Error = ResultFailed, 0, &Failure{e.Code, e.Message, e.Details}
				return nil
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return taken, into, err
	}
	left := cms.MaxProblems
	for i := range taken {
		left = shorten(taken[i].Warnings, left)
		if failed := taken[i].Error; failed != nil {
			left = shorten(failed.Details, left)
		}
	}
	if !slices.ContainsFunc(taken, func(t Taken) bool { return t.Title != "" }) {
		return nil, into, refuse("has no entry of %s: it comes from another service or model", m.Name)
	}
	return taken, into, nil
}

// shorten removes the last paths of p so that at most left messages stay, and returns how many more may.
func shorten(p cms.Problems, left int) int {
	for _, path := range slices.Sorted(maps.Keys(p)) {
		if left -= len(p[path]); left < 0 {
			left = 0
			delete(p, path)
		}
	}
	return left
}

// localeOf returns the active locale of a language tag, "" for none. The translators' programs write "de-DE" for "de":
// without such a locale, it is the only one of the same language.
func localeOf(now *site.Site, tag string) string {
	language := func(tag string) string {
		base, _, _ := strings.Cut(strings.ToLower(tag), "-")
		return base
	}
	var same []string
	for _, l := range now.Locales {
		if l.IsActive && strings.EqualFold(l.Code, tag) {
			return l.Code
		}
		if l.IsActive && language(l.Code) == language(tag) {
			same = append(same, l.Code)
		}
	}
	if len(same) == 1 {
		return same[0]
	}
	return ""
}

// importer saves the translations of a file.
type importer struct {
	Exchange
	actor          cms.Actor
	now            *site.Site
	model          *site.Model
	source, locale string
}

// incoming is an entry whose texts the file translates.
type incoming struct {
	*Taken
	source       *cms.Entry        // with its draft
	translation  *editing.Drafted  // nil if there is none
	texts        []text            // of source
	translations map[string]string // in the file, by the paths of the texts
}

// takeEntry saves the translations of one entry.
func (x *importer) takeEntry(ctx context.Context, f *file, t *Taken) error {
	m := x.model
	id, ok := input.CanonicalID(f.ID)
	if !ok {
		return content.ErrEntryNotFound
	}
	source, err := x.Entries.DraftOrLive(ctx, m.Slug, id)
	if err != nil {
		return err
	}
	t.Title = source.Entry.Title
	if !strings.EqualFold(source.Live.Locale, x.source) || source.Live.Locale == x.locale {
		return cms.Errorf(cms.CodeValidationFailed, "The entry is in the language %q, the file translates from %q to %q.",
			source.Live.Locale, cms.Shorten(x.source), x.locale)
	}
	alts, err := x.altsOf(ctx, &m.Model, x.locale, source.Entry)
	if err != nil {
		return err
	}
	in := &incoming{Taken: t, source: source.Entry, texts: append(textsOf(&m.Model, source.Entry), alts[0]...)}
	of, err := groups.Of(ctx, x.Entries.Store, m, []string{id})
	if err != nil {
		return err
	}
	if translated := of[0].Members[x.locale]; translated != "" {
		if in.translation, err = x.Entries.DraftOrLive(ctx, m.Slug, translated); err != nil {
			return err
		}
		t.Translation = translated
	}
	in.keepNewer(in.readTranslations(f))
	ofFiles := takeAlts(in.translations)
	switch {
	case len(in.translations) == 0:
		t.Result = input.ImportUnchanged
	case in.translation == nil:
		err = x.create(ctx, in)
	default:
		err = x.update(ctx, in)
	}
	if err != nil {
		return err
	}
	return x.saveAlts(ctx, alts[0], ofFiles, t)
}

// markOf returns a mark by which a text is known again, whatever its white space: an XLIFF type with the prefix cms.
func markOf(text string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(words(text)))
	return "cms:" + strconv.FormatUint(h.Sum64(), 36)
}

// words returns a text with one space between two words: some programs change others.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// keepNewer removes translations that are as the file had them at the download, if the present one is another:
// nobody translated these, and somebody changed them here since. It warns of those that both changed. Marks are those
// of the file.
func (in *incoming) keepNewer(marks map[string]string) {
	for i := range in.texts {
		path := in.texts[i].path
		to, mark, now := in.translations[path], marks[path], valueAt(&in.texts[i], in.source, in.translation)
		switch {
		case to == "" || now == "" || to == now || mark == markOf(now) || !strings.HasPrefix(mark, "cms:"):
		case mark == markOf(to):
			delete(in.translations, path)
		default:
			in.Warnings.Add(path, "this translation changed here after the export; that of the file takes its place")
		}
	}
}

// readTranslations takes the translations from a file by the paths that the texts have now, and returns the marks of
// those that were there at its download. It warns of those that are not there any more, or were translated from
// another text.
func (in *incoming) readTranslations(f *file) (marks map[string]string) {
	present, texts, marks := map[string]string{}, map[string]string{}, map[string]string{}
	places := map[place][]string{}
	for _, text := range in.texts {
		present[text.path] = words(text.value)
		at := placeOf(text.path, text.value)
		places[at] = append(places[at], text.path)
	}
	changed := map[string]string{}
	left := MaxBytes
	for _, u := range f.appendUnits(nil) {
		w, err := u.texts(&left)
		id := u.ID
		if present[id] == "" {
			id = cms.Shorten(id)
		}
		// A text that is at its path no more may be in another row, if it is there once.
		path, isMissing := u.ID, present[u.ID] == "" || present[u.ID] != words(w.source)
		if moved := places[placeOf(u.ID, w.source)]; isMissing && len(moved) == 1 {
			path, isMissing = moved[0], false
		}
		switch {
		case err != nil:
			in.Warnings.Add(id, "%s", err)
			in.Warnings.Add(id, "the text was left out")
			continue
		case w.translated == nothing:
			continue
		case isMissing:
			changed[id] = w.target
		case texts[path] != "" && texts[path] != w.target:
			in.Warnings.Add(id, "the file has two translations of this text; the first was taken")
			continue
		default:
			texts[path] = w.target
		}
		marks[path] = u.Was
		if w.translated == partly {
			in.Warnings.Add(id, "some paragraphs are not translated; the text of the source stands there")
		}
		if w.lost {
			in.Warnings.Add(id, "a code of the source is missing, such as a link or a picture")
		}
		if w.dropped != "" {
			in.Warnings.Add(id, "tags were left out, such as %s: this text has no place for them", cms.Shorten(w.dropped))
		}
	}
	for path, to := range changed {
		if _, taken := texts[path]; taken || present[path] == "" {
			in.Warnings.Add(path, "the entry does not have this text any more; the translation was left out")
			continue
		}
		in.Warnings.Add(path, "the source changed after the export")
		texts[path] = to
	}
	in.translations, in.Texts = texts, len(texts)
	return marks
}

// index is the number of a row in a path.
var index = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\.[0-9]+`)
})

// place is a text in a field, whatever its row.
type place struct{ field, text string }

func placeOf(path, text string) place { return place{index().ReplaceAllString(path, ""), words(text)} }

// create saves a translation that is not there yet: the values of the source with the texts of the file.
func (x *importer) create(ctx context.Context, in *incoming) error {
	body, err := x.Entries.TranslationBody(ctx, x.now, x.model, in.source, x.locale, true)
	if err != nil {
		return err
	}
	var left []string
	data, _ := body["data"].(map[string]any)
	for i := range x.model.Fields {
		f := &x.model.Fields[i]
		if v, ok := data[f.Name]; ok && editing.HoldsText(f) && (f.Translatable == nil || *f.Translatable) {
			data[f.Name] = translateValue("data."+f.Name, f, v, nil, in.translations, &left)
		}
	}
	if body["data"], err = x.Entries.TranslateReferences(ctx, x.now, x.model, data, x.locale); err != nil {
		return err
	}
	for i := range in.texts {
		if t := &in.texts[i]; t.top == nil && t.file == "" {
			if to, ok := in.translations[t.path]; ok {
				put(body, t.path, to)
			} else {
				left = append(left, t.path)
			}
		}
	}
	in.notTranslated(left)
	e, err := x.Entries.CreateIncomplete(ctx, x.actor, x.model.Slug, body)
	if err != nil {
		return err
	}
	in.Translation, in.Result = e.ID, input.ImportCreated
	in.Saved[e.ID] = takeback.Saved{Version: e.Version, Created: true}
	return nil
}

// put sets a text of a body outside data.
func put(body map[string]any, path, text string) {
	name, isSEO := strings.CutPrefix(path, "seo.")
	if !isSEO {
		body[name] = text
		return
	}
	seo, ok := body["seo"].(map[string]any)
	if !ok {
		seo = map[string]any{}
		body["seo"] = seo
	}
	seo[name] = text
}

// notTranslated warns of texts that stand in the translation as they are in the source.
func (t *Taken) notTranslated(paths []string) {
	slices.Sort(paths)
	for _, path := range paths {
		t.Warnings.Add(path, "is not translated; the text of the source stands there")
	}
}

// update saves the texts that differ from a translation into its draft.
func (x *importer) update(ctx context.Context, in *incoming) error {
	have, was := in.translation, in.translation.Entry
	body, data := map[string]any{}, map[string]any{}
	var left []string
	for i := range in.texts {
		t := &in.texts[i]
		to := in.translations[t.path]
		switch {
		case to == "" || to == valueAt(t, in.source, in.translation):
		case t.top == nil:
			put(body, t.path, to)
		case data[t.top.Name] == nil:
			name := t.top.Name
			data[name] = translateValue("data."+name, t.top, in.source.Data[name], was.Data[name], in.translations, &left)
		}
	}
	if len(data) > 0 {
		data, err := x.Entries.TranslateReferences(ctx, x.now, x.model, data, was.Locale)
		if err != nil {
			return err
		}
		body["data"] = data
	}
	if len(body) == 0 {
		in.Result = input.ImportUnchanged
		return nil
	}
	in.notTranslated(left)
	saved, err := x.Entries.SaveDraft(ctx, x.actor, x.model.Slug, was.ID, body, func(d *editing.Drafted) error {
		if d.Live.Version != have.Live.Version ||
			d.Info != nil && (have.Info == nil || d.Info.Version != have.Info.Version) {
			return cms.Errorf(cms.CodeConflict, "Somebody changed the translation at the same time. Upload the file again.")
		}
		return nil
	})
	if err == nil {
		in.Saved[was.ID] = takeback.Saved{Draft: saved.Number, First: saved.Info.Version == 1}
	}
	in.Result = input.ImportUpdated
	return err
}
