package transfer

import (
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/input"
)

// importDraft saves the draft of a line and returns the result. The option OnConflict decides about
// an existing draft that differs, as it does about an entry.
func (i Importer) importDraft(ctx context.Context, actor cms.Actor, model, id string,
	changes map[string]any, o input.ImportOptions) (result string, err error) {
	_, err = i.Entries.ReplaceDraft(ctx, actor, model, id, changes, func(before *editing.Drafted) error {
		same, err := sameDraft(before, changes)
		switch {
		case err != nil:
			return err
		case same:
			result = input.ImportUnchanged
			return errNothingToSave
		case before.Info != nil && o.OnConflict == input.ImportSkip:
			result = input.ImportSkipped
			return errNothingToSave
		case before.Info != nil && o.OnConflict == input.ImportFail:
			return cms.Errorf(cms.CodeConflict, "The entry already has another draft.")
		}
		result = input.ImportUpdated
		if o.DryRun {
			return errNothingToSave
		}
		return nil
	})
	if errors.Is(err, errNothingToSave) {
		err = nil
	}
	return result, err
}

// sameDraft reports whether the draft of an entry has exactly these changes.
func sameDraft(before *editing.Drafted, changes map[string]any) (bool, error) {
	if before.Info == nil {
		return false, nil
	}
	after := *before.Live
	cms.DecodeEntryPatch(changes).Apply(&after)
	x, err := cms.Marshal(after.Data)
	if err != nil {
		return false, err
	}
	y, err := cms.Marshal(before.Entry.Data)
	return string(x) == string(y) && after.Title == before.Entry.Title &&
		after.Slug == before.Entry.Slug && after.SEO == before.Entry.SEO, err
}
