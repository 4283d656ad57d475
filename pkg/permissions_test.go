package pkg_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
)

// setsPermissions lists the files that give a context other permissions than those of the request,
// how often, and why. A change is permitted by the rules of who caused it, as they are when it
// happens (extensions §11): work that runs later has them from package rights. Everything else here
// reads data that the caller never sees, or does a thing that was permitted before.
var setsPermissions = map[string]struct {
	times  int
	reason string
}{
	"pkg/admin/frame/auth.go":  {1, "the rules of the signed-in user"},
	"pkg/api/pipeline/call.go": {1, "the models and locales of the key"},
	"pkg/delivery/making.go":   {1, "the models and locales of the key"},
	"pkg/rights/rights.go":     {1, "the rules of who caused what runs later, as they are then"},

	"pkg/db/tx.go":                  {1, "conditions of a commit: an unreadable entry holds its slug, too"},
	"pkg/db/rehearsal.go":           {1, "the same conditions, rehearsed"},
	"pkg/content/build.go":          {1, "rebuilds the index rows of all entries"},
	"pkg/content/addresses.go":      {1, "writes the address of an entry that is referred to; not shown"},
	"pkg/groups/coverage.go":        {2, "rebuilds by which translation an entry is listed"},
	"pkg/redirects/redirects.go":    {1, "an unreadable slug closes a loop, too; only the loop is named"},
	"pkg/menus/check.go":            {1, "the model of an entry that stands in the menu already"},
	"pkg/links/usage.go":            {1, "an unreadable use prevents deletion, too; it is not shown"},
	"pkg/delivery/sync.go":          {1, "ids of entries that left the reach of a key, and nothing else"},
	"pkg/planning/leavingplans.go":  {1, "a plan that the taker may not read is refused, too; it is not shown"},
	"pkg/review/leaving.go":         {1, "the same for a review"},
	"pkg/comments/leaving.go":       {1, "the same for a comment"},
	"pkg/planning/ahead/changes.go": {1, "all that is planned; what the maker of the link may not read is not laid over"},
	"pkg/editing/publish.go":        {1, "targets of a draft, which who saved it could read"},
	"pkg/admin/frame/changer.go":    {1, "finds who changed an item last; who may not read that is not told"},
	"pkg/health/work.go":            {1, "checks all entries; List and Of show what the caller may read"},
	"pkg/health/ignore.go":          {1, "checks an entry that the caller may write"},
	"pkg/editing/shared.go": {3, "compares all members of a group before the caller's rights are " +
		"checked for each of them, and saves those that do not fit into that transaction"},
}

// TestPermissionsOfCause finds every place that sets the permissions of a context.
func TestPermissionsOfCause(t *testing.T) {
	found := map[string]int{}
	err := walkGo(func(path string) error {
		src, err := os.ReadFile(path)
		name := strings.TrimPrefix(filepath.ToSlash(path), "../")
		if n := strings.Count(string(src), "cms.WithPermissions("); n > 0 {
			found[name] = n
		}
		return err
	})
	must.Do(t, err)
	for name, n := range found {
		if want := setsPermissions[name]; n != want.times {
			t.Errorf("%s sets permissions %d times, %d are listed: whose rules are they, and why?",
				name, n, want.times)
		}
	}
	for name := range setsPermissions {
		if found[name] == 0 {
			t.Errorf("%s is listed and sets no permissions", name)
		}
	}
}
