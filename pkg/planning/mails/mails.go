// Package mails tells planners by mail which of their plans failed and why, and which planned entries others changed
// (extensions §4, §14).
//
// What always holds: a mail names only entries that its reader may read, and goes only to who wants mails of
// plans.
package mails

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/rights"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// maxNamed is how many entries a mail names; it says how many more there are.
const maxNamed = 20

// Mails writes mails to planners. Without a Mailer it mails nothing.
type Mails struct {
	Store   *content.Store
	Mailer  db.Mailer
	SiteURL string
}

// Failure is a change of an entry that was not made.
type Failure struct {
	Model, ID string
	Message   string          // in English
	Details   json.RawMessage // cms.Problems, or objects
}

// Failed mails who planned changes which of them failed, in the transaction that records it.
func (s Mails) Failed(ctx context.Context, tx *db.Tx, by cms.Actor, subject, first cms.Phrase, failed []Failure) error {
	if s.Mailer == nil || len(failed) == 0 {
		return nil
	}
	reader, rules, ok, err := rights.ReaderOf(ctx, s.Store.DB, by.UserID, cms.MailPlans)
	if err != nil || !ok {
		return err
	}
	now, err := s.Store.Site(ctx)
	if err != nil {
		return err
	}
	looked := failed[:min(len(failed), maxNamed)]
	refs := slice.Map(looked, func(v Failure) content.Reference {
		return content.Reference{Model: now.Models[v.Model], ID: v.ID}
	})
	refs = slices.DeleteFunc(refs, func(r content.Reference) bool { return r.Model == nil })
	entries, err := s.Store.EntriesByID(ctx, refs)
	if err != nil {
		return err
	}
	text, named := []cms.Phrase{first}, 0
	for _, v := range looked {
		i := slices.IndexFunc(entries, func(e *cms.Entry) bool { return e != nil && e.ID == v.ID })
		if i < 0 || !rules.May(cms.ActionRead, v.Model, entries[i].Locale) {
			continue
		}
		named++
		text = append(text, cms.Phrased("\"{1}\":\n{2}", entries[i].Title,
			s.SiteURL+"/admin/models/"+v.Model+"/entries/"+v.ID), cms.Phrase{Text: v.Message})
		if fields := fieldsIn(refs[i].Model, v.Details); fields != "" {
			text = append(text, cms.Phrased("Fields: {1}", fields))
		}
	}
	if rest := len(failed) - named; rest > 0 {
		text = append(text, cms.Counted(rest, "{1} more entry failed.", "{1} more entries failed."))
	}
	s.Mailer.Notify(tx, cms.Actor{}, cmp.Or(reader.Email, by.Name),
		cms.Notice{Subject: subject, Optional: true, Language: reader.Language, Paragraphs: text})
	return nil
}

// Changed sends one mail to each planner of an entry who may read it and wants such mails, after somebody changed it
// who may not publish it.
func (s Mails) Changed(ctx context.Context, tx *db.Tx, m *site.Model, e *cms.Entry, planners []cms.Actor) error {
	var sent []string
	for _, by := range planners {
		account, rules, ok, err := rights.ReaderOf(ctx, s.Store.DB, by.UserID, cms.MailPlans)
		if err != nil {
			return err
		}
		if !ok || !rules.May(cms.ActionRead, m.Slug, e.Locale) || slices.Contains(sent, by.UserID) {
			continue // may be a key, or somebody who has left
		}
		sent = append(sent, by.UserID)
		s.Mailer.Notify(tx, cms.Actor{}, cmp.Or(account.Email, by.Name),
			cms.Notice{Subject: cms.Phrased("A planned entry was changed"),
				Optional: true, Language: account.Language,
				Paragraphs: []cms.Phrase{
					cms.Phrased("\"{1}\" was changed by somebody who may not publish it, after you planned to publish it. "+
						"It will not be published at its time unless you plan it again:\n{2}",
						e.Title, s.SiteURL+"/admin/models/"+m.Slug+"/entries/"+e.ID)}})
	}
	return nil
}

// fieldsIn returns the labels of the fields that a failure is about.
func fieldsIn(m *site.Model, details json.RawMessage) string {
	var problems cms.Problems
	if json.Unmarshal(details, &problems) != nil {
		return "" // objects, which the message is about
	}
	var labels []string
	for _, path := range slices.Sorted(maps.Keys(problems)) {
		name, ok := strings.CutPrefix(path, "data.")
		name, _, _ = strings.Cut(name, ".")
		f := m.Field(name)
		if ok && f != nil && !slices.Contains(labels, cmp.Or(f.Label, f.Name)) {
			labels = append(labels, cmp.Or(f.Label, f.Name))
		}
	}
	return strings.Join(labels, ", ")
}
