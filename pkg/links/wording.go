package links

import (
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/markdown"
	"headless/pkg/refs"
	"headless/pkg/site"
)

// editEntry applies an edit to an entry and its draft, for Entries.Rewrite. Errors: editing.ErrNothingReplaced if both
// stay.
func editEntry(m *site.Model, e *cms.Entry, d *content.Draft, edit refs.Edit) (*cms.Entry, cms.EntryPatch, error) {
	changes, inDraft := edit.Patch(&m.Model, d.Changes.ForModel(&m.Model))
	now, inEntry := edit(&m.Model, e)
	if !inEntry {
		now = e
	}
	if !inEntry && !(inDraft && d.Open) {
		return nil, changes, editing.ErrNothingReplaced
	}
	return now, changes, nil
}

// ReplaceText replaces a text in an entry and its draft (extensions §7). It returns the entry itself if that stays.
// changed, if not nil, is called with each text that changes. Errors: editing.ErrNothingReplaced if both stay, and
// VALIDATION_FAILED for the draft.
func ReplaceText(m *site.Model, e *cms.Entry, d *content.Draft, find, put string,
	changed func(before, after string)) (*cms.Entry, cms.EntryPatch, error) {
	now, changes, err := editEntry(m, e, d, refs.Wording{Find: find, Replace: put, Changed: changed}.Edit)
	if err == nil && d.Open {
		after := *now
		changes.Apply(&after)
		err = markdown.Checks.Draft(&m.Model, changes, &after).Err()
	}
	return now, changes, err
}
