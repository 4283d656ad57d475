package editing

import (
	"fmt"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/must"
	"headless/pkg/site"
)

// TestSharedValueTaken: a value that is unique and shared is refused if another entry has it in any locale of the
// group, also where the group is so large that its members are saved after the commit.
func TestSharedValueTaken(t *testing.T) {
	more := []string{"it", "es", "pt", "nl", "pl", "cs", "da", "sv", "fi"}
	for _, members := range [][]string{{"de"}, append([]string{"de"}, more...)} {
		t.Run(fmt.Sprint(len(members)), func(t *testing.T) {
			w := newContentWorld(t, `{"slug": "goods", "name": "Goods", "localized": true, "fields": [
				{"name": "sku", "type": "text", "unique": true, "translatable": false}]}`)
			for _, code := range more {
				_, err := (&site.Locales{Store: w.Store.Store, InUse: w.LocaleInUse}).Create(t.Context(), w.actor,
					w.body(`{"code": "`+code+`", "name": "`+code+`"}`))
				must.Do(t, err)
			}
			_, err := w.Create(t.Context(), w.actor, "goods",
				w.body(`{"title": "Alone", "locale": "de", "data": {"sku": "taken"}}`))
			must.Do(t, err)
			en, err := w.Create(t.Context(), w.actor, "goods", w.body(`{"title": "One", "data": {"sku": "free"}}`))
			must.Do(t, err)
			for _, code := range members {
				_, err := w.Create(t.Context(), w.actor, "goods", w.body(fmt.Sprintf(
					`{"title": "One", "locale": %q, "translation_of": %q}`, code, en.ID)))
				must.Do(t, err)
			}
			_, err = w.Update(t.Context(), w.actor, "goods", en.ID, w.body(`{"data": {"sku": "taken"}}`), nil)
			if codeOf(err) != cms.CodeConflict {
				t.Errorf("a taken value: %v", err)
			}
			_, err = w.Update(t.Context(), w.actor, "goods", en.ID, w.body(`{"data": {"sku": "new"}}`), nil)
			must.Do(t, err)
		})
	}
}
