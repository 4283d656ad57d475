package oracle_test

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Each locale but the first, the default, falls back to the one before it.
var locales = []string{"en", "de", "fr"}

// contentModel is a content model of the service.
type contentModel struct {
	slug, url, home string
	localized, tree bool
	review          int // approvals that a publication needs
}

const home = "home" // of the pages

var models = []*contentModel{
	{slug: "authors"},
	{slug: "posts", url: "/{locale?}/posts/{slug}", localized: true, review: 1},
	{slug: "pages", url: "/{locale?}/{path}", home: home, localized: true, tree: true, review: 2},
}

func (m *contentModel) fields() list {
	field := func(name, kind string, more obj) obj {
		f := obj{"name": name, "label": name, "type": kind}
		maps.Copy(f, more)
		return f
	}
	shared := obj{"options": list{"x", "y", "z"}}
	if m.localized {
		shared["translatable"] = false
	}
	return list{field("need", "text", obj{"required": true}), field("n", "number", nil), field("kind", "select", shared),
		field("code", "text", obj{"unique": true}), field("body", "richtext", obj{"searchable": true}),
		field("author", "relation", obj{"model": "authors"}),
		field("others", "relation", obj{"models": list{"posts", "pages"}, "many": true})}
}

// relations are the fields that refer to entries.
var relations = []string{"author", "others"}

// content is the part of an entry that drafts change and revisions keep. Its data is never changed in place and holds
// no null.
type content struct {
	title, slug string
	data        obj
}

func (c content) equal(d content) bool {
	return c.title == d.title && c.slug == d.slug && reflect.DeepEqual(c.data, d.data)
}

// with returns the content with the changes of a body.
func (c content) with(body obj) content {
	if title, ok := body["title"].(string); ok {
		c.title = title
	}
	if slug, ok := body["slug"].(string); ok {
		c.slug = slug
	}
	if data, ok := body["data"].(obj); ok {
		all := obj{}
		maps.Copy(all, c.data)
		maps.Copy(all, data)
		c.data = all
		maps.DeleteFunc(c.data, func(_ string, v any) bool { return v == nil })
	}
	return c
}

// revision is what an entry was at a version.
type revision struct {
	content
	status string
}

type draft struct {
	changes obj // a body with data
	base    content
}

type plan struct {
	publish, unpublish time.Time
	children           string
	by                 *person
	failed             string // the code of the error; several with spaces until one is read
}

// sets reports whether a draft changes a field.
func (d *draft) sets(name string) bool {
	_, sets := d.changes["data"].(obj)[name]
	return sets
}

// entry is an entry as it should be. Entries are copied by value.
type entry struct {
	step int // that created it
	id   string
	m    *contentModel
	content
	locale, status, parent string
	position               float64
	version, group, drafts int       // drafts: how many were saved
	publishedAt            string    // "" while never published, "?" until it is read
	publishedBy            time.Time // it was published shortly before
	trashed                bool
	draft                  *draft
	plan                   plan
	revisions              map[int]revision
	draftRevisions         map[int]*draft
	review                 *review   // nil if nobody asked
	savedBy                *person   // who saved it last
	draftBy                []*person // who saved the draft
	joined                 *entry    // the one of whose group it becomes a member by the next save
	checked                int       // the version at which its revisions were compared last
}

func (e *entry) public() bool { return !e.trashed && e.status == "published" }

// laid is the entry with its draft laid over.
func (e *entry) laid() content {
	if e.draft == nil {
		return e.content
	}
	return e.content.with(e.draft.changes)
}

// setDraft saves a draft.
func (s *site) setDraft(e *entry, d *draft) {
	if e.draft == nil {
		e.draftBy = nil
	}
	e.draftBy = append(slices.Clip(e.draftBy), s.by[0])
	e.drafts++
	e.draft, e.draftRevisions[e.drafts], e.review = d, d, e.review.moved()
	e.plan.failed = ""
}

// saveDraft adds the changes of a body to the draft.
func (s *site) saveDraft(e *entry, body obj) refusals {
	d, now := &draft{body, e.content}, &entry{}
	if e.draft != nil {
		data := maps.Clone(e.draft.changes["data"].(obj))
		maps.Copy(data, body["data"].(obj))
		d = &draft{maps.Clone(e.draft.changes), e.draft.base}
		maps.Copy(d.changes, body)
		d.changes["data"] = data
		now.content = content{}.with(e.draft.changes)
	}
	if s.missesIn(now, content{}.with(d.changes)) {
		return refusals{"VALIDATION_FAILED"}
	}
	s.setDraft(e, d)
	return nil
}

// discard ends a draft.
func (s *site) discard(e *entry) refusals {
	if e.draft == nil {
		return refusals{"NOT_FOUND"}
	}
	e.draft, e.review = nil, e.review.moved()
	return nil
}

// outdated reports whether the content was saved since the draft was based on it.
func (e *entry) outdated() bool { return e.draft != nil && !e.draft.base.equal(e.content) }

// change is a save of an entry.
type change struct{ before, after entry }

// moves reports whether a change moved its entry in the tree.
func (c change) moves() bool { return !c.before.standsAs(&c.after) }

func (e *entry) standsAs(o *entry) bool { return e.parent == o.parent && e.position == o.position }

// site is the content of the service as it should be.
type site struct {
	entries []*entry
	by      []*person            // who cause the changes; the first one makes them
	silent  bool                 // chiefs may not approve
	groups  int                  // the number of the last group
	shared  map[int]int          // the steps that made the members whose shared values count, by group
	menu    map[string][]string  // ids of entries by locale
	gone    map[string]time.Time // when entries were deleted as unused, by id
	made    []change             // all of them
	events  []string             // that the listener has not received yet
	leaving map[string]bool      // ids to which a save may refer that began before they were deleted; else nil
	// redirects are those that were made by hand, by the path from which they lead.
	redirects map[string]redirect
	// held has the ids of the entries of a model and locale that ever had a slug. Where there are several, former
	// addresses lead to the one that had the slug last, wherever it stood.
	held map[string]map[string]bool
}

func (s *site) clone() *site {
	c := &site{by: s.by, silent: s.silent, groups: s.groups, shared: maps.Clone(s.shared),
		menu: s.menu, gone: maps.Clone(s.gone), held: s.held, made: slices.Clip(s.made), redirects: s.redirects,
		events: slices.Clip(s.events)}
	for _, e := range s.entries {
		copied := *e
		copied.revisions, copied.draftRevisions = maps.Clone(e.revisions), maps.Clone(e.draftRevisions)
		c.entries = append(c.entries, &copied)
	}
	return c
}

// find lists the entries for which all conditions hold, the oldest first.
func (s *site) find(conditions ...func(*entry) bool) (found []*entry) {
	for _, e := range s.entries {
		if !slices.ContainsFunc(conditions, func(ok func(*entry) bool) bool { return !ok(e) }) {
			found = append(found, e)
		}
	}
	return found
}

func live(e *entry) bool    { return !e.trashed }
func trashed(e *entry) bool { return e.trashed }
func public(e *entry) bool  { return e.public() }

func of(m *contentModel, locale string) func(*entry) bool {
	return func(e *entry) bool { return e.m == m && (locale == "" || e.locale == locale) }
}

// byID returns an entry that is not in the trash, nil if there is none.
func (s *site) byID(id string) *entry {
	for _, e := range s.entries {
		if e.id == id && !e.trashed {
			return e
		}
	}
	return nil
}

// member returns the translation of an entry, or the entry itself, in a locale.
func (s *site) member(e *entry, locale string) *entry {
	for _, o := range s.entries {
		if !o.trashed && o.locale == locale && (o.id == e.id || o.group == e.group && e.group != 0) {
			return o
		}
	}
	return nil
}

// below lists the entries below another one in the order of the tree; directly: without those below them.
func (s *site) below(e *entry, directly bool) (all []*entry) {
	children := s.find(live, func(c *entry) bool { return c.parent == e.id })
	slices.SortFunc(children, inTree)
	for _, c := range children {
		if all = append(all, c); !directly {
			all = append(all, s.below(c, false)...)
		}
	}
	return all
}

func inTree(a, b *entry) int {
	switch {
	case a.position != b.position:
		return int(math.Copysign(1, a.position-b.position))
	case a.title != b.title:
		return strings.Compare(a.title, b.title)
	}
	return strings.Compare(a.id, b.id)
}

// above lists the entries above one, the nearest first.
func (s *site) above(e *entry) (all []*entry) {
	for e.parent != "" {
		if e = s.byID(e.parent); e == nil {
			break
		}
		all = append(all, e)
	}
	return all
}

// refusals are codes of errors, one of which a change gets. There are none if it succeeds.
type refusals []string

// check returns why a save would be refused. before is nil for a new entry.
func (s *site) check(before *entry, e *entry) (why refusals) {
	invalid := e.title == "" || e.data["need"] == nil && (before == nil || e.status == "published")
	for _, id := range e.targets() {
		if s.byID(id) == nil && !s.leaving[id] && (before == nil || !slices.Contains(before.targets(), id)) {
			invalid = true
		}
	}
	moves := before != nil && before.locale != e.locale
	if e.parent != "" && (before == nil || moves || before.parent != e.parent) && !s.mayStand(e, e.parent) {
		invalid = true
	}
	invalid = invalid || moves && len(s.below(e, true)) > 0
	if invalid {
		return refusals{"VALIDATION_FAILED"}
	}
	leaves := before != nil && (e.trashed || before.public() && !e.public())
	if leaves && slices.ContainsFunc(s.below(before, false), holds(e)) {
		why = append(why, "IN_USE")
	}
	return append(why, s.taken(e)...)
}

// holds returns which entries below keep an entry in its place that becomes e.
func holds(e *entry) func(*entry) bool {
	if e.trashed {
		return live
	}
	return public
}

// taken returns which values of an entry another one has.
func (s *site) taken(e *entry) (why refusals) {
	for _, o := range s.find(live, of(e.m, e.locale)) {
		if o.id != e.id && o.slug == e.slug {
			why = append(why, "SLUG_CONFLICT")
		}
		if o.id != e.id && e.data["code"] != nil && o.data["code"] == e.data["code"] {
			why = append(why, "CONFLICT")
		}
	}
	return why
}

// mayStand reports whether an entry may stand below a parent.
func (s *site) mayStand(e *entry, parent string) bool {
	p := s.byID(parent)
	if p == nil || p.m != e.m || p.locale != e.locale || p.id == e.id || slices.Contains(s.above(p), s.byID(e.id)) {
		return false
	}
	levels := 0
	for _, b := range s.below(e, false) {
		levels = max(levels, len(s.above(b))-len(s.above(e)))
	}
	return len(s.above(p))+2+levels <= 10
}

// targets lists the ids of the entries that the relations refer to.
func (c content) targets() (ids []string) {
	for _, name := range relations {
		ids = append(ids, targets(c.data[name])...)
	}
	return ids
}

// targets lists the ids in the value of a relation.
func targets(v any) (ids []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case list:
		for _, item := range v {
			ids = append(ids, dig(item, "id").(string))
		}
	}
	return ids
}

// save makes e the stored entry, and gives the other members of its group the values that they share.
func (s *site) save(e entry) {
	at := slices.IndexFunc(s.entries, func(o *entry) bool { return o.step == e.step })
	if at < 0 {
		e.revisions, e.draftRevisions = map[int]revision{}, map[int]*draft{}
		s.entries = append(s.entries, new(entry))
		at = len(s.entries) - 1
	}
	before := *s.entries[at]
	if e.status == "published" && before.status != "published" {
		e.publishedAt, e.publishedBy, e.plan.publish = "?", time.Now(), time.Time{}
	}
	key := e.m.slug + e.locale + e.slug // see site.held
	if s.held[key] == nil {
		s.held[key] = map[string]bool{}
	}
	s.held[key][e.id] = true
	switch {
	case e.status != before.status && e.status != "draft":
		e.review = nil
	case !e.content.equal(before.content) || e.locale != before.locale:
		e.review = e.review.moved()
	}
	kind := before.data["kind"]
	if e.joined != nil {
		kind = e.joined.data["kind"]
	}
	e.plan.failed, e.savedBy, e.joined = "", s.by[0], nil
	e.version++
	e.revisions[e.version] = revision{e.content, e.status}
	*s.entries[at] = e
	s.made = append(s.made, change{before, e})
	s.raiseSaved(&before, s.entries[at])
	if kind == e.data["kind"] || e.trashed || before.trashed {
		return
	}
	s.shared[e.group] = e.step
	for _, locale := range locales {
		o := s.member(&e, locale)
		kept := o != nil && o.public() && s.isUnapproved(nil, o)
		if o != nil && o.id != e.id && o.data["kind"] != e.data["kind"] && !kept {
			// This does not outdate a draft, unless the draft has another value.
			follows := o.draft != nil && !o.outdated() &&
				(!o.draft.sets("kind") || o.laid().data["kind"] == e.data["kind"])
			o.content = o.content.with(obj{"data": obj{"kind": e.data["kind"]}})
			o.plan.failed, o.review = "", o.review.moved()
			o.version++
			o.revisions[o.version] = revision{o.content, o.status}
			s.raise("entry.updated", o)
			if follows {
				o.draft = &draft{o.draft.changes, o.content}
			}
		}
	}
}

// change edits an entry and saves it. With children, the entries below it move up or leave too.
func (s *site) change(e *entry, children string, edit func(e *entry)) refusals {
	next := *e
	edit(&next)
	why := s.judge(e, &next)
	if slices.Contains(why, "IN_USE") && children != "" {
		if why = slices.DeleteFunc(why, func(code string) bool { return code == "IN_USE" }); len(why) > 0 {
			return why
		}
		s.clear(e, children, holds(&next), edit)
	}
	if len(why) == 0 {
		s.save(next)
	}
	return why
}

// clear moves the entries below one that leaves to its parent, or lets those leave that hold it.
func (s *site) clear(e *entry, children string, hold func(*entry) bool, leave func(*entry)) {
	if children == "down" {
		below := s.below(e, false)
		slices.Reverse(below)
		for _, b := range below {
			if hold(b) {
				next := *b
				leave(&next)
				s.save(next)
			}
		}
		return
	}
	end := s.end(e)
	for _, b := range s.below(e, true) {
		if hold(b) || slices.ContainsFunc(s.below(b, false), hold) {
			next := *b
			next.parent, next.position = e.parent, end
			s.save(next)
			end++
		}
	}
}

// end is the position after an entry and all beside it.
func (s *site) end(e *entry) float64 {
	beside := s.find(live, of(e.m, e.locale), func(o *entry) bool { return o.parent == e.parent })
	return math.Floor(slices.MaxFunc(beside, inTree).position) + 1
}

// publish publishes an entry with its draft.
func (s *site) publish(e *entry, force bool) refusals {
	if e.outdated() && !force {
		return refusals{"PRECONDITION_FAILED"}
	}
	return s.change(e, "", func(e *entry) {
		e.content, e.status, e.draft = e.laid(), "published", nil
		e.plan.publish, e.review = time.Time{}, nil
	})
}

func unpublish(e *entry) { e.status = "draft" }

func trash(e *entry) { e.trashed, e.plan, e.review = true, plan{}, nil }

// takeOut unpublishes an entry if it is published.
func (s *site) takeOut(e *entry, children string) refusals {
	if !e.public() {
		return nil
	}
	return s.change(e, children, unpublish)
}

// deleteUnused deletes an entry to which nothing refers.
func (s *site) deleteUnused(e *entry) refusals {
	used := len(s.uses(e.id)) > 0
	for _, locale := range locales {
		used = used || slices.Contains(s.menu[locale], e.id)
	}
	if used {
		return refusals{"IN_USE"}
	}
	why := s.change(e, "", trash)
	if e.trashed {
		s.gone[e.id] = time.Now()
	}
	return why
}

// move puts an entry below another one or, for "", at the root, after those that are there.
func (s *site) move(e *entry, parent string) refusals {
	if parent != "" && parent != e.parent && !s.mayStand(e, parent) {
		return refusals{"VALIDATION_FAILED"}
	}
	next := *e
	next.parent, next.position = parent, 0
	beside := func(o *entry) bool { return o.parent == parent && o.id != e.id }
	if siblings := s.find(live, of(e.m, e.locale), beside); len(siblings) > 0 {
		next.position = math.Floor(slices.MaxFunc(siblings, inTree).position) + 1
	}
	s.save(next)
	return nil
}

// missesIn reports whether content refers to an entry that was deleted as unused, and the entry that gets it did not.
func (s *site) missesIn(e *entry, c content) bool {
	return slices.ContainsFunc(c.targets(), func(id string) bool {
		return time.Since(s.gone[id]) < time.Hour && s.byID(id) == nil && !slices.Contains(e.targets(), id)
	})
}

// revert gives an entry the content of a revision, whose references stay.
func (s *site) revert(e *entry, old content) refusals {
	if s.missesIn(e, old) {
		return refusals{"VALIDATION_FAILED"}
	}
	next := *e
	if next.content = old; next.public() && old.data["need"] == nil {
		return refusals{"VALIDATION_FAILED"}
	}
	why := s.taken(&next)
	if s.isUnapproved(e, &next) {
		why = append(why, "APPROVAL_REQUIRED")
	}
	if len(why) == 0 {
		s.save(next)
	}
	return why
}

// restore brings an entry back from the trash.
func (s *site) restore(e *entry) refusals {
	next := *e
	next.trashed = false
	if why := s.taken(&next); len(why) > 0 {
		return why
	}
	if next.parent != "" && !s.mayStand(&next, next.parent) {
		next.parent = ""
	}
	if s.member(e, e.locale) != nil {
		next.group = 0
	}
	var from *entry // whose shared values count
	for _, locale := range slices.Sorted(slices.Values(locales)) {
		if o := s.member(&next, locale); o != nil && o.id != e.id && (from == nil || o.step == s.shared[e.group]) {
			from = o
		}
	}
	if from != nil {
		next.content = next.content.with(obj{"data": obj{"kind": from.data["kind"]}})
	}
	delete(s.gone, e.id)
	s.save(next)
	return nil
}

// join makes an entry a translation of another one, or of none if that is nil. The body is that of the save.
func (s *site) join(e, original *entry, body obj) refusals {
	data, _ := body["data"].(obj)
	_, own := data["kind"]
	switch {
	case original == nil:
		e.group = 0
		return nil
	case original.locale == e.locale:
		return refusals{"VALIDATION_FAILED"}
	case s.member(original, e.locale) != nil && s.member(original, e.locale).id != e.id:
		return refusals{"CONFLICT"}
	case original.group == 0:
		s.groups++
		original.group = s.groups
	}
	e.joined = original
	if e.group = original.group; !own {
		e.content = e.content.with(obj{"data": obj{"kind": original.data["kind"]}})
	}
	return nil
}

// free is the slug that is made from a title or another slug.
func (s *site) free(e entry, of string) string {
	e.slug = of
	for n := 2; slices.Contains(s.taken(&e), "SLUG_CONFLICT"); n++ {
		e.slug = fmt.Sprint(of, "-", n)
	}
	return e.slug
}

// address is the path of an entry of a model with addresses, in which the home of the pages has no part.
func (s *site) address(e *entry) string {
	path := []string{e.slug}
	switch e.m.slug {
	case "authors":
		return ""
	case "posts":
		path = []string{"posts", e.slug}
	default:
		for _, above := range s.above(e) {
			path = append([]string{above.slug}, path...)
		}
		path = slices.DeleteFunc(path, func(slug string) bool { return slug == home })
	}
	if e.locale != locales[0] {
		path = append([]string{e.locale}, path...)
	}
	return "/" + strings.Join(path, "/")
}
