package redirects_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/must"
	"headless/pkg/redirects"
	"headless/pkg/rooms"
	"headless/pkg/table/sim"
)

// TestPutText takes an import back and repeats it, by the changes that it returns. All redirects are as before each
// time, with their ids. Who may not change redirects cannot do so.
func TestPutText(t *testing.T) {
	ctx, actor := t.Context(), cms.Actor{}
	all := &redirects.Redirects{Store: rooms.New(sim.New(sim.Options{}), time.Now).Redirects}
	csv := func() string {
		t.Helper()
		list, err := all.Store.All(ctx)
		must.Do(t, err)
		var b strings.Builder
		for _, r := range list {
			b.WriteString(r.ID + " " + r.From + " " + r.Target() + "\n")
		}
		return b.String()
	}
	_, err := all.Import(ctx, actor, []byte("/a,/b\n/gone,,410\n/same,/other\n"))
	must.Do(t, err)
	before := csv()
	done, err := all.Import(ctx, actor, []byte("/a,/x\n/b,/a\n/gone,/back,301\n/new,/x\n/a,/c\n/same,/other\n/bad\n"))
	must.Do(t, err)
	if len(done.Changes) != 4 || done.Created != 2 || done.Updated != 4 || len(done.Failed) != 1 {
		t.Fatalf("the import %+v", done)
	}
	after, refused := csv(), errors.New("refused")
	for range 2 {
		for i := range done.Changes {
			c := done.Changes[len(done.Changes)-1-i]
			is := func(now string) error {
				if now != c.Now {
					return refused
				}
				return nil
			}
			must.Do(t, all.PutText(ctx, actor, c.ID, "", c.Was, is))
			if err := all.PutText(ctx, actor, c.ID, "", c.Was, is); !errors.Is(err, refused) {
				t.Errorf("again: %v", err)
			}
			reader := cms.WithPermissions(ctx, cms.NewPermissions([]cms.Rule{{Models: []string{cms.AreaRedirects},
				Actions: []cms.Action{cms.ActionRead, cms.ActionWrite, cms.ActionDelete}}}))
			if err := all.PutText(reader, actor, c.ID, "", c.Now, is); cms.CodeOf(err) != cms.CodeForbidden {
				t.Errorf("by who may not publish: %v", err)
			}
		}
		if now := csv(); now != before {
			t.Errorf("the redirects are %s, want %s", now, before)
		}
		before, after = after, before
		for i, j := 0, len(done.Changes)-1; i <= j; i, j = i+1, j-1 {
			a, b := done.Changes[i], done.Changes[j]
			done.Changes[i] = redirects.Change{ID: b.ID, Was: b.Now, Now: b.Was}
			done.Changes[j] = redirects.Change{ID: a.ID, Was: a.Now, Now: a.Was}
		}
	}
}
