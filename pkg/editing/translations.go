package editing

import (
	"context"
	"errors"
	"maps"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/groups"
	"headless/pkg/input"
	"headless/pkg/site"
)

// regroup is the change of an entry's group that a body asks for (extensions §3).
type regroup struct {
	asked  bool
	target string // id of the entry whose group it joins; "" to leave its group
}

// decodeTranslationOf decodes translation_of of a body.
func decodeTranslationOf(body map[string]any, p cms.Problems) regroup {
	v, asked := body["translation_of"]
	if !asked || v == nil {
		return regroup{asked: asked}
	}
	text, _ := v.(string)
	id, ok := input.CanonicalID(text)
	if !ok {
		p.Add("translation_of", "must be the id of an entry")
		return regroup{}
	}
	return regroup{true, id}
}

// groupPlan is the change of groups that a save makes.
type groupPlan struct {
	asked  bool
	before *cms.Entry    // nil for a new entry
	own    *groups.Group // of before
	target *cms.Entry    // the entry whose group it joins, nil if none
	join   *groups.Group // of target
	// targetSaved says that the transaction saves target too.
	targetSaved bool
}

// planGroup returns the change of groups that a save makes, and adds problems of translation_of to
// p. The plan is nil if the save neither asks for a change of groups nor changes the locale.
func (s *Entries) planGroup(ctx context.Context, m *site.Model, before, e *cms.Entry, r regroup,
	p cms.Problems) (*groupPlan, error) {
	if !r.asked && (before == nil || before.Locale == e.Locale) {
		return nil, nil
	}
	plan := &groupPlan{asked: r.asked, before: before, own: &groups.Group{}}
	var err error
	if before != nil {
		if plan.own, err = s.groupToLeave(ctx, m, before.ID); err != nil {
			return nil, err
		}
	}
	if r.target == "" {
		return plan, nil
	}
	if before != nil && before.ID == r.target {
		p.Add("translation_of", "is the entry itself")
		return plan, nil
	}
	plan.target, err = s.Store.Entry(ctx, m, r.target)
	if errors.Is(err, db.ErrNotFound) {
		p.Add("translation_of", "there is no such entry in this model")
		return plan, nil
	}
	if err != nil {
		return nil, err
	}
	if plan.target.Locale == e.Locale {
		p.Add("translation_of", "is in the same locale")
	}
	if plan.own.Holds(r.target) {
		plan.join = plan.own
		return plan, nil
	}
	plan.join, err = groups.ForChange(ctx, s.Store, m, plan.target.ID)
	if err == nil && plan.own.ID != plan.join.ID &&
		(plan.own.Meets(plan.join) || before != nil && plan.join.Holds(before.ID)) {
		err = db.ErrOvertaken // one of the groups changed before the other was read
	}
	return plan, err
}

// checkLocale returns CONFLICT if the group has another entry in the locale of e.
func (plan *groupPlan) checkLocale(e *cms.Entry) error {
	if plan == nil || plan.asked && plan.join == nil {
		return nil
	}
	g := plan.own
	if plan.asked {
		g = plan.join
	}
	if holder := g.Members[e.Locale]; holder != "" && (plan.before == nil || holder != plan.before.ID) {
		return cms.Errorf(cms.CodeConflict, "Another entry is already the translation in the locale %s.", e.Locale)
	}
	return nil
}

// applyTo adds the planned change of groups to the transaction of the save.
func (plan *groupPlan) applyTo(t *db.Tx, s *content.Store, m *site.Model, e *cms.Entry) {
	if plan == nil {
		return
	}
	own, join := plan.own, plan.join
	if own.ID != "" || plan.target != nil {
		follow := []string{e.ID}
		for other := range maps.Values(own.Without(e.ID)) { // a member of the group that e may leave
			follow = append(follow, other)
			break
		}
		groups.Follow(t, s, m, follow...)
	}
	if !plan.asked || join != nil && join.ID != "" && join.ID == own.ID { // same group, maybe another locale
		if own.ID == "" {
			groups.StayAlone(t, m, e.ID)
			return
		}
		moved := groups.Group{Members: own.Without(e.ID)}
		groups.Set(t, m, own, moved.With(e))
		return
	}
	if own.ID != "" {
		groups.Set(t, m, own, own.Without(e.ID))
	}
	alone := plan.before != nil && own.ID == ""
	switch {
	case plan.target == nil && own.ID != "":
		groups.Leave(t, m, e.ID)
	case plan.target == nil && plan.before != nil:
		groups.StayAlone(t, m, e.ID)
	case plan.target == nil:
	case join.ID == "":
		groups.Found(t, m, uuid.Must(uuid.NewV7()).String(), plan.target, e, plan.targetSaved, alone, join.Shared)
	default:
		groups.Join(t, m, join, e, alone)
	}
}

// Translations lists the translations of each of some entries of a model, with the entry itself, in
// the order of the site's locales. With public set, of the others it lists only published ones in active locales.
// It takes two round trips.
func (s *Entries) Translations(ctx context.Context, now *site.Site, m *site.Model, public bool,
	entries ...*cms.Entry) ([][]cms.Translation, error) {
	members, err := s.Members(ctx, m, entries...)
	if err != nil {
		return nil, err
	}
	lists := make([][]cms.Translation, len(entries))
	for i, own := range entries {
		lists[i] = []cms.Translation{}
		for _, l := range now.Locales {
			e := members[i][l.Code]
			if e == nil || public && e.ID != own.ID && (!l.IsActive || e.Status != cms.StatusPublished) {
				continue
			}
			lists[i] = append(lists[i], cms.Translation{Locale: l.Code, ID: e.ID, Slug: e.Slug, Title: e.Title,
				Status: e.Status, Place: e.Place()})
		}
	}
	return lists, nil
}

// Members returns the translations of each of some entries of a model by locale, with the entry itself, as far as the
// caller may read them. It takes two round trips.
func (s *Entries) Members(ctx context.Context, m *site.Model,
	entries ...*cms.Entry) ([]map[string]*cms.Entry, error) {
	ids, byID := make([]string, len(entries)), map[string]*cms.Entry{}
	for i, e := range entries {
		ids[i], byID[e.ID] = e.ID, e
	}
	of, err := groups.Of(ctx, s.Store, m, ids)
	if err != nil {
		return nil, err
	}
	var refs []content.Reference
	for _, g := range of {
		for _, id := range g.Members {
			if byID[id] == nil { // not one of entries
				refs = append(refs, content.Reference{Model: m, ID: id})
			}
		}
	}
	found, err := s.Store.EntriesByID(ctx, refs)
	if err != nil {
		return nil, err
	}
	for _, e := range found {
		if e != nil {
			byID[e.ID] = e
		}
	}
	members := make([]map[string]*cms.Entry, len(entries))
	for i, own := range entries {
		members[i] = map[string]*cms.Entry{}
		for locale, id := range of[i].Members {
			if e := byID[id]; e != nil && e.Locale == locale {
				members[i][locale] = e
			}
		}
		members[i][own.Locale] = own
	}
	return members, nil
}

// TranslationBody returns the body of a new translation of an entry in a locale, with or without the
// texts. It always has the title, because an entry needs one, and never the values of unique fields.
func (s *Entries) TranslationBody(ctx context.Context, now *site.Site, m *site.Model, e *cms.Entry,
	locale string, texts bool) (map[string]any, error) {
	data := map[string]any{}
	for i := range m.Fields {
		f := &m.Fields[i]
		if v, ok := e.Data[f.Name]; ok && !f.Unique && (texts || !HoldsText(f)) {
			data[f.Name] = v
		}
	}
	data, err := s.TranslateReferences(ctx, now, m, data, locale)
	body := map[string]any{"title": e.Title, "locale": locale, "translation_of": e.ID, "data": data}
	if texts {
		body["seo"] = map[string]any{"title": e.SEO.Title, "description": e.SEO.Description}
	}
	return body, err
}

// HoldsText reports whether a field holds text to translate.
func HoldsText(f *cms.Field) bool {
	switch f.Type {
	case cms.TypeText, cms.TypeTextarea, cms.TypeRichText, cms.TypeGroup, cms.TypeList, cms.TypeBlocks:
		return true
	}
	return false
}
