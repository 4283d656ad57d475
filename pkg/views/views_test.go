package views

import (
	"errors"
	"maps"
	"sync"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/site/renames"
	"headless/pkg/table/sim"
)

func anything(cms.Problems, map[string]string) {}

func model(id string) *site.Model { return &site.Model{Model: cms.Model{ID: id}} }

// TestRenamed names fields in a query as they are called now, and leaves out those that were removed.
func TestRenamed(t *testing.T) {
	m := model("m1")
	m.Fields = []cms.Field{{Name: "price", Type: cms.TypeNumber}, {Name: "place", Type: cms.TypeGroup,
		Fields: []cms.Field{{Name: "city", Type: cms.TypeText}}}}
	m.RenameFields(renames.Rename{From: "cost", To: "price", Gen: 2}, renames.Rename{From: "address.town", To: "city",
		Gen: 2}, renames.Rename{From: "address", To: "place", Gen: 2}, renames.Rename{From: "slug", To: "name", Gen: 2})
	is := stored{View{Query: map[string]string{"columns": "cost,:slug,gone", "sort": "-data.cost,slug,data.gone,-title",
		"q": "cost", "filter[data.address.town][ne]": "cost", "filter[data.cost]": "1", "filter[status]": "any",
		"filter[data.address.gone]": "1"}}, 1}.renamed(m, anything)
	want := map[string]string{"columns": "price,:slug", "sort": "-data.price,slug,-title", "q": "cost",
		"filter[data.place.city][ne]": "cost", "filter[data.price]": "1", "filter[status]": "any"}
	if !maps.Equal(is.Query, want) {
		t.Errorf("got %v", is.Query)
	}
}

// TestRenamedSince saves views before, between and after renames by which a field gets the former name of another one.
// One of them is then renamed itself.
func TestRenamedSince(t *testing.T) {
	s := &Store{DB: db.New(sim.New(sim.Options{}), time.Now)}
	m, ctx, ada := model("m1"), t.Context(), cms.User{ID: "ada", Role: cms.RoleEditor}
	known := func(p cms.Problems, query map[string]string) {
		if c := query["columns"]; c != "" && cms.FieldNamed(m.Fields, c) == nil {
			p.Add("query.columns", "has no column %s", c)
		}
	}
	become := func(names ...string) {
		m.Fields = nil
		for _, name := range names {
			m.Fields = append(m.Fields, cms.Field{Name: name, Type: cms.TypeText})
		}
		m.Gen++
	}
	save := func(name, column string) string {
		t.Helper()
		v, err := s.Create(ctx, cms.Actor{}, ada, m, map[string]any{"name": name,
			"query": map[string]any{"columns": column}}, false, known)
		must.Do(t, err)
		return v.ID
	}
	become("a", "b")
	first := save("before", "a")
	save("other", "b")
	become("c", "b")
	m.RenameFields(renames.Rename{From: "a", To: "c", Gen: m.Gen})
	save("between", "c")
	become("c", "a")
	m.RenameFields(renames.Rename{From: "b", To: "a", Gen: m.Gen})
	save("after", "a")
	if v, err := s.Update(ctx, cms.Actor{}, ada, m, first, map[string]any{"name": "first"}, known); err != nil ||
		v.Query["columns"] != "c" {
		t.Errorf("a new name: %+v, %v", v, err)
	}
	list, err := s.Of(ctx, m, "ada", known)
	must.Do(t, err)
	got := ""
	for _, v := range list {
		got += v.Name + ":" + v.Query["columns"] + " "
	}
	if got != "after:a between:c first:c other:a " {
		t.Error(got)
	}
	become("a")
	m.RenameFields(renames.Rename{From: "c", Gen: m.Gen})
	become("a", "c") // another one
	if v, err := s.Get(ctx, m, first, ada, known); err != nil || len(v.Query) > 0 {
		t.Errorf("of a field that was removed: %+v, %v", v, err)
	}
	v, err := s.Update(ctx, cms.Actor{}, ada, m, first, map[string]any{"shared": true}, known)
	if err != nil || !v.Shared {
		t.Errorf("of a field that was removed: %+v, %v", v, err)
	}
}

// TestViews holds who sees and changes which views.
func TestViews(t *testing.T) {
	s := &Store{DB: db.New(sim.New(sim.Options{}), time.Now)}
	ctx := t.Context()
	ada, bob := cms.User{ID: "ada", Role: cms.RoleEditor}, cms.User{ID: "bob", Role: cms.RoleViewer}
	root := cms.User{ID: "root", Role: cms.RoleUserAdmin}
	make := func(by cms.User, name string, shared bool) View {
		t.Helper()
		v, err := s.Create(ctx, cms.Actor{}, by, model("m1"),
			map[string]any{"name": name, "shared": shared,
				"query": map[string]any{"sort": "title"}}, false, anything)
		must.Do(t, err)
		return v
	}
	own, shared := make(ada, "Mine", false), make(ada, "Ours", true)
	theirs := make(bob, "Mine", false)
	is := func(err error, code cms.Code) {
		t.Helper()
		if cms.CodeOf(err) != code {
			t.Errorf("got %v, want %s", err, code)
		}
	}
	_, err := s.Create(ctx, cms.Actor{}, ada, model("m1"), map[string]any{"name": "Mine"}, false, anything)
	is(err, cms.CodeConflict)
	_, err = s.Get(ctx, model("m1"), own.ID, bob, anything)
	is(err, cms.CodeNotFound)
	is(s.Delete(ctx, cms.Actor{}, root, "m1", own.ID), cms.CodeNotFound)
	is(s.Delete(ctx, cms.Actor{}, bob, "m1", shared.ID), cms.CodeForbidden)
	_, err = s.Update(ctx, cms.Actor{}, ada, model("m1"), own.ID, map[string]any{"name": "Ours"}, anything)
	is(err, cms.CodeConflict)
	_, err = s.Create(ctx, cms.Actor{}, ada, model("m1"), map[string]any{"name": " ", "query": "x"}, false, anything)
	is(err, cms.CodeValidationFailed)

	again, err := s.Create(ctx, cms.Actor{}, ada, model("m1"),
		map[string]any{"name": "Mine", "query": map[string]any{"q": "x"}}, true, anything)
	if err != nil || again.ID != own.ID || again.Query["q"] != "x" {
		t.Errorf("replaced %+v, %v", again, err)
	}
	again, err = s.Update(ctx, cms.Actor{}, ada, model("m1"), own.ID, map[string]any{"query": nil}, anything)
	if err != nil || again.Query == nil || len(again.Query) > 0 {
		t.Errorf("query cleared: %+v, %v", again, err)
	}
	list, err := s.Of(ctx, model("m1"), "bob", anything)
	if err != nil || len(list) != 2 || list[0].ID != theirs.ID || list[1].ID != shared.ID {
		t.Errorf("bob sees %+v, %v", list, err)
	}
	list, err = s.Of(ctx, model("m2"), "ada", anything)
	if err != nil || list == nil || len(list) != 0 { // a list in JSON, too
		t.Errorf("another model has %#v, %v", list, err)
	}
	if err := s.Delete(ctx, cms.Actor{}, root, "m1", shared.ID); err != nil {
		t.Error(err)
	}
}

// TestNamesAreUnique saves views of one name at the same time, and takes a name that was given up.
func TestNamesAreUnique(t *testing.T) {
	s := &Store{DB: db.New(sim.New(sim.Options{}), time.Now)}
	ctx := t.Context()
	ada := cms.User{ID: "ada", Role: cms.RoleEditor}
	create := func() error {
		_, err := s.Create(ctx, cms.Actor{}, ada, model("m1"), map[string]any{"name": "Mine"}, false, anything)
		return err
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := create(); err != nil && !errors.Is(err, errTaken) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	list, err := s.Of(ctx, model("m1"), "ada", anything)
	if err != nil || len(list) != 1 {
		t.Fatalf("%d listed, %v", len(list), err)
	}
	_, err = s.Update(ctx, cms.Actor{}, ada, model("m1"), list[0].ID, map[string]any{"name": "Yours"}, anything)
	if err != nil {
		t.Error(err)
	}
	if err := create(); err != nil {
		t.Error(err)
	}
	if err := s.Delete(ctx, cms.Actor{}, ada, "m1", list[0].ID); err != nil {
		t.Error(err)
	}
	if err := create(); !errors.Is(err, errTaken) {
		t.Errorf("the name is taken: %v", err)
	}
}
