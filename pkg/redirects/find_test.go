package redirects_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/must"
	"headless/pkg/redirects"
	"headless/pkg/rooms"
	"headless/pkg/table/sim"
)

// TestFindable makes redirects from paths that are escaped in all ways. Each leads from its own path, however
// it was made.
func TestFindable(t *testing.T) {
	ctx, actor := t.Context(), cms.Actor{}
	body := func(from string) map[string]any { return map[string]any{"from": from, "to": "/to"} }
	ways := map[string]func(all *redirects.Redirects, from string) error{
		"create": func(all *redirects.Redirects, from string) error {
			_, err := all.Create(ctx, actor, body(from))
			return err
		},
		"update": func(all *redirects.Redirects, from string) error {
			made, err := all.Create(ctx, actor, body("/other"))
			must.Do(t, err)
			_, err = all.Update(ctx, actor, made.ID, body(from), nil)
			return err
		},
		"import": func(all *redirects.Redirects, from string) error {
			done, err := all.Import(ctx, actor, []byte(`"`+from+`",/to`))
			if len(done.Failed) > 0 {
				return errors.New(done.Failed[0].Message)
			}
			return err
		},
		"schema": func(all *redirects.Redirects, from string) error {
			plan, err := all.Stage(ctx)
			must.Do(t, err)
			p := cms.Problems{}
			_, _, put, _ := plan.Set(p, from, body(from))
			tx := all.Store.Begin()
			put(tx)
			return cmp.Or(p.Err(), all.Store.Commit(ctx, tx))
		},
	}
	for _, from := range []string{"/", "/a", "/a/", "/a//", "/a//b", "/%61", "/%61/", "/a%2fb", "/caf%C3%A9",
		"/caf%c3%a9", "/café", "/café%20au-lait", "/caf%C3%A9_(Paris)", "/a%20(b)", "/a'b", "/a%3Fb", "/a%23b",
		"/a%5Cb", "/100%", "/100%25", "/%2561", "/%FF", "/%zz%20"} {
		for name, way := range ways {
			all := &redirects.Redirects{Store: rooms.New(sim.New(sim.Options{}), time.Now).Redirects}
			must.Do(t, way(all, from))
			found, err := all.Store.From(ctx, redirects.CleanPath(from))
			if err != nil || found == nil {
				t.Errorf("%s: no redirect leads from %s (%v)", name, from, err)
			}
			if _, err := all.Create(ctx, actor, body(from)); cms.CodeOf(err) != cms.CodeConflict {
				t.Errorf("%s: a second one from %s: %v", name, from, err)
			}
		}
	}
}

// TestStoredSpelling reads redirects that were stored as they had been sent. The first spelling was always found; the
// second is found once the redirect is saved again.
func TestStoredSpelling(t *testing.T) {
	ctx := t.Context()
	all := &redirects.Redirects{Store: rooms.New(sim.New(sim.Options{}), time.Now).Redirects}
	to := "/to"
	tx := all.Store.Begin()
	for id, from := range map[string]string{"1": "/caf%C3%A9/", "2": "/%61"} {
		redirects.Put(tx, nil, redirects.Redirect{ID: id, From: from, To: &to, Status: 301})
	}
	must.Do(t, all.Store.Commit(ctx, tx))
	saved, err := all.Update(ctx, cms.Actor{}, "2", map[string]any{"status": json.Number("302")}, nil)
	if err != nil || saved.From != "/a" {
		t.Errorf("it is saved from %q (%v)", saved.From, err)
	}
	for _, path := range []string{"/café", "/a"} {
		if found, err := all.Store.From(ctx, path); err != nil || found == nil {
			t.Errorf("no redirect leads from %s (%v)", path, err)
		}
	}
	must.Do(t, all.Delete(ctx, cms.Actor{}, "2"))
	_, err = all.Create(ctx, cms.Actor{}, map[string]any{"from": "/%61", "to": "/to"})
	must.Do(t, err)
}

// TestOneAddressInSchema applies a schema with redirects that are escaped in other ways than the stored ones.
func TestOneAddressInSchema(t *testing.T) {
	ctx := t.Context()
	all := &redirects.Redirects{Store: rooms.New(sim.New(sim.Options{}), time.Now).Redirects}
	apply := func(froms ...string) (made int, p cms.Problems) {
		plan, err := all.Stage(ctx)
		must.Do(t, err)
		p = cms.Problems{}
		tx := all.Store.Begin()
		for _, from := range froms {
			was, _, put, _ := plan.Set(p, from, map[string]any{"from": from, "to": "/to"})
			if was == nil {
				made++
			}
			if len(p) == 0 {
				put(tx)
			}
		}
		if len(p) == 0 {
			must.Do(t, all.Store.Commit(ctx, tx))
		}
		return made, p
	}
	if made, p := apply("/%61", "/b"); made != 2 || len(p) > 0 {
		t.Errorf("first %d are new, with %v", made, p)
	}
	if made, p := apply("/%61", "/b"); made != 0 || len(p) > 0 {
		t.Errorf("then %d are new, with %v", made, p)
	}
	for _, twice := range [][]string{{"/%61", "/a"}, {"/a", "/%61"}, {"/%62", "/%62/"}} {
		if _, p := apply(twice...); len(p["from"]) == 0 {
			t.Errorf("%v may stand in one schema", twice)
		}
	}
	plan, err := all.Stage(ctx)
	must.Do(t, err)
	if _, ok := plan.Delete("/%61"); !ok || len(plan.Redirects()) != 1 {
		t.Errorf("what is left is %v", plan.Redirects())
	}
}
