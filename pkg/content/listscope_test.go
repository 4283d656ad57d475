package content

import (
	"slices"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/site"
)

// TestListScope: the cursor of a list of a model that is not localized works after the site has got another
// locale, and that of a localized model belongs to its locales.
func TestListScope(t *testing.T) {
	for localized, same := range map[bool]bool{false: true, true: false} {
		m := &site.Model{Model: cms.Model{ID: "m", Localized: localized}}
		before := ListScope(m, []string{"en"}, cms.Statuses)
		after := ListScope(m, []string{"en", "de"}, cms.Statuses)
		if slices.Equal(before, after) != same {
			t.Errorf("localized %t: %q and %q", localized, before, after)
		}
	}
}
