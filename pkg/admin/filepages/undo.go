package filepages

import (
	"maps"
	"net/url"
	"reflect"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
)

// former has the values that files had before a change, by id. Only those that it changed are in it.
type former map[string]ui.Former[map[string]any]

// note adds the former values that a change replaced.
func (f former) note(before, after cms.Media) {
	was, now := valuesOf(before), valuesOf(after)
	for name, v := range was {
		if reflect.DeepEqual(v, now[name]) {
			delete(was, name)
		}
	}
	if alts, changed := was["alts"].(map[string]string); changed {
		for code := range after.Alts {
			alts[code] = before.Alts[code] // "" removes a text
		}
	}
	if _, changed := was["crop"]; changed {
		was["focal"] = before.Focal // which would move with the crop
	}
	if len(was) > 0 {
		f[before.ID] = ui.Replaced(was, only(now, was))
	}
}

// only returns the values of the names that are in was.
func only(values, was map[string]any) map[string]any {
	maps.DeleteFunc(values, func(name string, _ any) bool { _, ok := was[name]; return !ok })
	return values
}

// valuesOf returns the values of a file as the body of an update.
func valuesOf(m cms.Media) map[string]any {
	alts := map[string]string{}
	maps.Copy(alts, m.Alts)
	return map[string]any{"name": m.Name, "alt": m.Alt, "alts": alts, "decorative": m.Decorative, "caption": m.Caption,
		"folder_id": m.FolderID, "tags": m.Tags, "crop": m.Crop, "focal": m.Focal}
}

// undo puts the values back. back is the view to return to; without one that is the page of the only file.
func (f former) undo(back []string) *ui.Undo {
	return ui.UndoWith(ui.Base+"/media/several", f, url.Values{"action": {actionPut}, "_back": back})
}

// noting returns the change of one file by the body that change returns, and notes its former values in was.
func (h MediaHandlers) noting(c *frame.Call, was former,
	change func(m cms.Media) map[string]any) func(id string) error {
	return func(id string) error {
		before, err := h.Files.Get(c.R.Context(), id)
		if err != nil {
			return err
		}
		after, err := h.Files.Update(c.R.Context(), c.Actor(), id, change(before), nil)
		if err == nil {
			was.note(before, after)
		}
		return err
	}
}
