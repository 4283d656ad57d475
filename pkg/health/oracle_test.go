package health_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/groups"
	"headless/pkg/health"
	"headless/pkg/index/totals"
	"headless/pkg/menus"
	"headless/pkg/must"
	"headless/pkg/recheck"
	"headless/pkg/refs"
	"headless/pkg/rooms"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

var editor = cms.Actor{Name: "ed@example.com", Source: cms.SourceAdmin, UserID: "ed"}

// world is a site that random changes are made to.
type world struct {
	t       *testing.T
	rand    *rand.Rand
	now     time.Time
	st      *rooms.Stores
	entries *editing.Entries
	menus   *menus.Menus
	models  *site.Models
	locales *site.Locales
	checks  health.Checks
	table   *flaky
	ids     []string // of entries, of both models
	of      map[string]string
	files   []string
}

// flaky is a table whose writes fail now and then, before or after they are done.
type flaky struct {
	table.Table
	on     atomic.Bool
	before atomic.Pointer[func()] // called once, before the next write
}

func (f *flaky) Write(ctx context.Context, ops []table.Op) error {
	if before := f.before.Swap(nil); before != nil {
		(*before)()
	}
	if !f.on.Load() || rand.IntN(6) > 0 {
		return f.Table.Write(ctx, ops)
	}
	if rand.IntN(2) == 0 {
		return table.ErrUnavailable
	}
	return errors.Join(f.Table.Write(ctx, ops), table.ErrUnavailable)
}

func newWorld(t *testing.T, seed uint64) *world {
	t.Helper()
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	t.Cleanup(func() { _ = tb.Close() })
	w := &world{t: t, rand: rand.New(rand.NewPCG(seed, 1)), table: &flaky{Table: tb}, of: map[string]string{},
		now: time.Now().UTC().Truncate(time.Millisecond)} // the table drops rows that expired by the real clock
	w.st = rooms.New(w.table, func() time.Time { return w.now })
	files := &assets.Media{Store: w.st.Assets, BaseURL: "https://files.example"}
	w.entries = &editing.Entries{Store: w.st.Content, MediaTypes: files.Types, MediaInline: files.Inline, Files: files}
	w.menus = &menus.Menus{Store: w.st.Content}
	w.locales = &site.Locales{Store: w.st.Site, InUse: w.entries.LocaleInUse}
	w.models = &site.Models{Store: w.st.Site, HasEntries: w.entries.ModelHasEntries}
	w.checks = health.Checks{Store: w.st.Content}
	must.Do(w.t, w.locales.EnsureDefault(t.Context()))
	_, err = w.locales.Create(t.Context(), editor, w.body(`{"code": "de", "name": "German", "is_active": true}`))
	must.Do(w.t, err)
	for _, slug := range []string{"pages", "notes"} {
		_, err := w.models.Create(t.Context(), editor, w.body(`{"slug": "`+slug+`", "name": "x", "fields": [
			{"name": "body", "type": "richtext"}, {"name": "photo", "type": "media"}]}`))
		must.Do(w.t, err)
	}
	_, err = w.models.Update(t.Context(), editor, "pages", w.body(`{"localized": true, "url": "/{locale}/{slug}",
		"home": "home", "translate": ["de"], "stale_after_months": 2, "fields": [
			{"name": "body", "type": "richtext"}, {"name": "photo", "type": "media"},
			{"name": "others", "type": "relation", "models": ["pages", "notes"], "many": true}]}`), nil)
	must.Do(w.t, err)
	must.Do(w.t, w.entries.Reindex(t.Context()))
	for range 6 {
		w.files = append(w.files, uuid.Must(uuid.NewV7()).String())
		tx := w.st.Begin()
		assets.PutMedia(tx, assets.Asset{ID: w.files[len(w.files)-1], Name: "a.png", Mime: "image/png",
			CreatedAt: tx.At()}, true)
		must.Do(w.t, w.st.Commit(t.Context(), tx))
	}
	return w
}

func (w *world) body(text string) map[string]any {
	w.t.Helper()
	body, err := cms.DecodeObject([]byte(text))
	must.Do(w.t, err)
	return body
}

// may accepts the errors that a random change may meet.
func (w *world) may(err error) {
	w.t.Helper()
	var refused *cms.Error
	if err != nil && (!errors.As(err, &refused) || refused.Code == cms.CodeInternal) {
		w.t.Fatal(err)
	}
}

func pick[T any](w *world, list []T) T { return list[w.rand.IntN(len(list))] }

// content returns random content for an entry of a model.
func (w *world) content(model string) string {
	var links, others []string
	for range w.rand.IntN(3) {
		if len(w.ids) > 0 {
			id := pick(w, w.ids)
			links = append(links, "[x](cms://entry/"+id+")")
			if id = pick(w, w.ids); w.of[id] != "" {
				others = append(others, fmt.Sprintf(`{"model": %q, "id": %q}`, w.of[id], id))
			}
		}
	}
	links = append(links,
		pick(w, []string{"", "![](cms://media/" + pick(w, w.files) + ")", "![own](cms://media/" + pick(w, w.files) + ")"}))
	data := fmt.Sprintf(`"body": %q, "photo": %s`, strings.Join(links, " "),
		pick(w, []string{"null", `"` + pick(w, w.files) + `"`}))
	if model == "pages" {
		data += `, "others": [` + strings.Join(others, ",") + "]"
	}
	seo := fmt.Sprintf(`{"title": %q, "description": %q}`,
		pick(w, []string{"", "one", "two", strings.Repeat("long ", 14)}),
		pick(w, []string{"", "about", strings.Repeat("words ", 30)}))
	return fmt.Sprintf(`{"title": %q, "status": %q, "data": {%s}, "seo": %s}`, pick(w, []string{"one", "three", "four"}),
		pick(w, []string{"published", "published", "draft"}), data, seo)
}

// change makes a random change.
func (w *world) change() {
	ctx := w.t.Context()
	w.now = w.now.Add(time.Duration(1+w.rand.IntN(1000)) * time.Second)
	n := w.rand.IntN(100)
	switch {
	case n < 25 || len(w.ids) < 5:
		model := pick(w, []string{"pages", "pages", "notes"})
		body := w.body(w.content(model))
		if model == "pages" && w.rand.IntN(2) == 0 {
			body["locale"] = "de"
			if len(w.ids) > 0 {
				body["translation_of"] = pick(w, w.ids)
			}
		}
		if w.rand.IntN(6) == 0 {
			body["slug"] = "home"
		}
		e, err := w.entries.Create(ctx, editor, model, body)
		if w.may(err); err == nil {
			w.ids, w.of[e.ID] = append(w.ids, e.ID), model
		}
	case n < 55:
		id := pick(w, w.ids)
		_, err := w.entries.Update(ctx, editor, w.of[id], id, w.body(w.content(w.of[id])), nil)
		w.may(err)
	case n < 65:
		id := pick(w, w.ids)
		w.may(w.entries.Delete(ctx, editor, w.of[id], id, nil))
	case n < 72:
		_, err := w.entries.RestoreFromTrash(ctx, editor, pick(w, w.ids))
		w.may(err)
	case n < 82:
		w.changeFile()
	case n < 88:
		items := "[]"
		if w.rand.IntN(4) > 0 {
			id := pick(w, w.ids)
			items = fmt.Sprintf(`[{"entry": {"model": %q, "id": %q}}]`, w.of[id], id)
		}
		body := w.body(`{"slug": "main", "name": "Main", "items": {"en": ` + items + `}}`)
		if _, err := w.menus.Create(ctx, editor, body); err != nil {
			_, err = w.menus.Update(ctx, editor, "main", body, nil)
			w.may(err)
		}
		if w.rand.IntN(4) == 0 {
			w.may(w.menus.Delete(ctx, editor, "main"))
		}
	case n < 93:
		_, err := w.models.Update(ctx, editor, pick(w, []string{"pages", "notes"}), w.body(pick(w, []string{
			`{"url": ""}`, `{"url": "/n/{slug}"}`, `{"is_active": false}`, `{"is_active": true}`, `{"home": "home"}`,
			`{"home": ""}`,
			`{"translate": []}`, `{"translate": ["de", "en"]}`, `{"stale_after_months": 0}`, `{"stale_after_months": 1}`})), nil)
		w.may(err)
	case n < 95:
		_, err := w.locales.Update(ctx, editor, "de",
			w.body(pick(w, []string{`{"is_active": false}`, `{"is_active": true}`})), nil)
		w.may(err)
	default:
		w.now = w.now.AddDate(0, 1, 3)
	}
}

func (w *world) changeFile() {
	ctx, id := w.t.Context(), pick(w, w.files)
	tx := w.st.Begin()
	m, err := w.st.Assets.Media(ctx, id)
	if errors.Is(err, db.ErrNotFound) {
		m = &assets.Asset{ID: id, Name: "a.png", Mime: "image/png", CreatedAt: tx.At()}
	} else if must.Do(w.t, err); w.rand.IntN(3) == 0 {
		assets.DeleteMedia(tx, m)
		must.Do(w.t, w.st.Commit(ctx, tx))
		return
	}
	m.Alt, m.Decorative = pick(w, []string{"", "a text"}), w.rand.IntN(3) == 0
	m.Alts = pick(w, []map[string]string{nil, {"de": "ein Text"}})
	assets.PutMedia(tx, *m, true)
	must.Do(w.t, w.st.Commit(ctx, tx))
}

// settle handles the timers that are due, while writes fail now and then.
func (w *world) settle() {
	ctx := context.Background()
	w.table.on.Store(true)
	defer w.table.on.Store(false)
	for range 2_000 {
		due, err := w.st.DB.Timers(ctx, w.now.Add(time.Second), 1000)
		must.Do(w.t, err)
		if len(due) == 0 {
			return
		}
		w.rand.Shuffle(len(due), func(i, j int) { due[i], due[j] = due[j], due[i] })
		due = due[:min(len(due), 30)]
		var done []db.Timer
		for len(due) > 0 {
			together := due[:1+w.rand.IntN(len(due))]
			due = due[len(together):]
			var refs []string
			err = nil
			for _, timer := range together {
				switch timer.Kind {
				case recheck.Kind:
					ref, _, _ := strings.Cut(timer.Ref, "#") // as package jobs calls it
					refs = append(refs, ref)
				case groups.KindCoverage:
					_, coverErr := groups.Cover(ctx, w.st.Content, timer.Ref)
					err = cmp.Or(err, coverErr)
				}
			}
			if err = cmp.Or(err, w.checks.Work(ctx, refs)); err == nil {
				done = append(done, together...)
			}
		}
		w.table.on.Store(false) // writers wait for merges, and the clock stands still
		must.Do(w.t, w.st.MoveTimers(ctx, done, nil))
		must.Do(w.t, w.entries.MergeTotals(ctx))
		w.table.on.Store(true)
	}
	w.t.Fatal("timers are left")
}

// TestFindingsAreThoseOfAllContent compares the rows with a look at all content after random changes, of
// which some are made while checks of earlier ones are still to come.
func TestFindingsAreThoseOfAllContent(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(8) {
		w := newWorld(t, seed)
		for range 12 {
			for range 25 {
				w.change()
			}
			w.settle()
			w.compare(seed, seen)
			if t.Failed() {
				return
			}
		}
	}
	if len(seen) < len(health.Kinds) {
		t.Errorf("the changes led to findings of these kinds only: %v", seen)
	}
}

// TestNewEntriesSetFewTimers: nothing can refer to a new entry, so only a published one is checked.
func TestNewEntriesSetFewTimers(t *testing.T) {
	w := newWorld(t, 1)
	w.settle()
	for status, want := range map[string]int{"draft": 0, "published": 1} {
		e, err := w.entries.Create(t.Context(), editor, "notes", w.body(`{"title": "New", "status": "`+status+`"}`))
		must.Do(w.t, err)
		due, err := w.st.DB.Timers(t.Context(), w.now.Add(time.Second), 10)
		must.Do(w.t, err)
		checks := 0
		for _, timer := range due {
			if ref, _, _ := strings.Cut(timer.Ref, "#"); timer.Kind == recheck.Kind && strings.HasSuffix(ref, e.ID) {
				checks++
			}
		}
		if checks != want {
			t.Errorf("%s: %d timers, want %d", status, checks, want)
		}
	}
}

// TestTextsThatBeginAndEndToBeShared lets an entry take up, or give up, the text of another whose check has
// read and not yet committed.
func TestTextsThatBeginAndEndToBeShared(t *testing.T) {
	for _, joins := range []bool{true, false} {
		w := newWorld(t, 1)
		add := func(description string) string {
			e, err := w.entries.Create(t.Context(), editor, "pages", w.body(
				`{"title": "`+uuid.NewString()+`", "status": "published", "seo": {"description": "`+description+`"}}`))
			must.Do(w.t, err)
			w.ids, w.of[e.ID] = append(w.ids, e.ID), "pages"
			return e.ID
		}
		m, err := w.models.Get(t.Context(), "pages")
		must.Do(w.t, err)
		check := func(id string) { // in place of its timers
			ref := "e/" + m.ID + "/" + id
			due, err := w.st.DB.Timers(t.Context(), w.now.Add(time.Second), 1000)
			must.Do(w.t, err)
			due = slices.DeleteFunc(due, func(timer db.Timer) bool { return !strings.HasPrefix(timer.Ref, ref) })
			must.Do(w.t, w.st.MoveTimers(t.Context(), due, nil))
			must.Do(w.t, w.checks.Work(t.Context(), []string{ref}))
		}
		describe := func(id, description string) {
			_, err := w.entries.Update(t.Context(), editor, "pages", id,
				w.body(`{"seo": {"description": "`+description+`"}}`), nil)
			must.Do(w.t, err)
			check(id)
		}
		a, b, c := add("shared"), add("shared"), add("own")
		w.settle()
		describe(b, "other")
		meanwhile := func() { describe(c, "shared") }
		if !joins {
			w.settle()
			describe(b, "shared")
			meanwhile = func() { describe(b, "other") }
		}
		w.table.before.Store(&meanwhile)
		check(a) // reads, and commits behind the change of the other
		w.settle()
		w.compare(1, map[string]bool{})
	}
}

func (w *world) compare(seed uint64, seen map[string]bool) {
	w.t.Helper()
	want := w.look()
	var got []string
	cursor, total := "", 0
	for {
		list, err := w.checks.List(w.t.Context(), health.Filter{}, db.Paging{Page: 1, PerPage: 7}, cursor)
		must.Do(w.t, err)
		for _, f := range list.Items {
			seen[string(f.Kind)] = true
			got = append(got, fmt.Sprintf("%s %s %s %s", f.ID, f.Kind, f.Field, f.Detail))
		}
		if total, cursor = list.Total, list.Next; cursor == "" {
			break
		}
	}
	if slices.Sort(got); !slices.Equal(got, want) || total != len(want) {
		w.t.Errorf("seed %d: %d findings are counted, %d listed\nonly listed: %q\nonly in the content: %q", seed, total,
			len(got),
			slice.Without(got, want), slice.Without(want, got))
	}
	_, err := totals.Merge(w.t.Context(), w.st.DB, recheck.Space)
	must.Do(w.t, err)
}

// look finds everything by a look at all content.
func (w *world) look() []string {
	ctx := w.t.Context()
	now, err := w.st.Site.Site(ctx)
	must.Do(w.t, err)
	all, public := map[string]*cms.Entry{}, map[string]*cms.Entry{}
	for _, id := range w.ids {
		m := now.Models[w.of[id]]
		e, err := w.st.Content.Entry(ctx, m, id)
		if errors.Is(err, db.ErrNotFound) {
			continue
		}
		must.Do(w.t, err)
		if all[id] = e; e.Status == cms.StatusPublished && m.IsActive && now.Locale(e.Locale).IsActive {
			public[id] = e
		}
	}
	files, err := w.st.Assets.MediaByID(ctx, w.files...)
	must.Do(w.t, err)
	referred := map[string]bool{}
	list, err := menus.All(ctx, w.st.DB)
	must.Do(w.t, err)
	for _, m := range list {
		for _, item := range m.Items["en"] {
			referred[item.Entry.ID] = true
		}
	}
	for _, e := range public {
		for _, mention := range refs.Of(&now.Models[w.of[e.ID]].Model, e) {
			if mention.ID != e.ID {
				referred[mention.ID] = true
			}
		}
	}
	var found []string
	for _, e := range public {
		m := now.Models[w.of[e.ID]]
		add := func(kind health.Kind, field, detail string) {
			found = append(found, fmt.Sprintf("%s %s %s %s", e.ID, kind, field, detail))
		}
		w.lookAtMentions(&m.Model, e, all, public, files, add)
		title := e.SEO.Title
		if title == "" {
			title = e.Title
		}
		if m.URL != "" {
			same := func(text func(*cms.Entry) string) bool {
				return slices.ContainsFunc(slices.Collect(maps.Values(public)), func(o *cms.Entry) bool {
					return o.ID != e.ID && o.Locale == e.Locale && now.Models[w.of[o.ID]].URL != "" && text(o) == text(e)
				})
			}
			textProblems(health.SEOTitle, title, 60, same(titleOf), add)
			textProblems(health.SEODescription, strings.TrimSpace(e.SEO.Description), 160,
				same(func(o *cms.Entry) string { return strings.TrimSpace(o.SEO.Description) }), add)
			if !referred[e.ID] && (e.Slug != m.Home || m.Home == "") {
				add(health.Orphan, "", "")
			}
		}
		if m.StaleAfterMonths > 0 && !e.UpdatedAt.AddDate(0, m.StaleAfterMonths, 0).After(w.now) {
			add(health.Stale, "", "")
		}
		w.lookAtTranslations(m, e, all, public, add)
	}
	slices.Sort(found)
	return found
}

func titleOf(e *cms.Entry) string {
	if e.SEO.Title != "" {
		return strings.TrimSpace(e.SEO.Title)
	}
	return e.Title
}

func textProblems(kind health.Kind, text string, most int, same bool, add func(health.Kind, string, string)) {
	var problems []string
	if text == "" {
		problems = append(problems, "missing")
	}
	if utf8.RuneCountInString(strings.TrimSpace(text)) > most {
		problems = append(problems, fmt.Sprint("longer than ", most))
	}
	if text != "" && same {
		problems = append(problems, "the same elsewhere")
	}
	if problems != nil {
		add(kind, string(kind), strings.Join(problems, ", "))
	}
}

func (w *world) lookAtMentions(m *cms.Model, e *cms.Entry, all, public map[string]*cms.Entry,
	files map[string]*assets.Asset, add func(health.Kind, string, string)) {
	wrong := map[string][]string{}
	for _, mention := range refs.Of(m, e) {
		file, kind := files[mention.ID], health.Kind("")
		text, _ := e.Data["body"].(string)
		bare := mention.Path == "data.photo" || strings.Contains(text, "![](cms://media/"+mention.ID)
		switch {
		case mention.ID == e.ID || public[mention.ID] != nil:
		case all[mention.ID] != nil:
			kind = health.LinkUnpublished
		case file == nil:
			kind = health.LinkGone
		case file.Alt == "" && file.Alts[e.Locale] == "" && !file.Decorative && bare:
			kind = health.AltMissing
		}
		if at := string(kind) + " " + mention.Path; kind != "" {
			wrong[at] = append(wrong[at], mention.ID)
		}
	}
	for at, ids := range wrong {
		kind, path, _ := strings.Cut(at, " ")
		add(health.Kind(kind), path, strings.Join(ids, ", "))
	}
}

func (w *world) lookAtTranslations(m *site.Model, e *cms.Entry, all, public map[string]*cms.Entry,
	add func(health.Kind, string, string)) {
	if !m.Localized {
		return
	}
	g, err := groups.Of(w.t.Context(), w.st.Content, m, []string{e.ID})
	must.Do(w.t, err)
	if o := all[g[0].Members["en"]]; e.Locale == "de" && o != nil && e.UpdatedAt.Before(o.UpdatedAt.Time) {
		add(health.TranslationOutdated, "", "")
	}
	if e.Locale == "de" && public[g[0].Members["en"]] != nil {
		return
	}
	for _, code := range m.Translate {
		if code != e.Locale && all[g[0].Members[code]] == nil {
			add(health.TranslationMissing, "translations."+code, code)
		}
	}
}
