package presets

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/site"
	"headless/pkg/table/sim"
)

var m1, m2 = &site.Model{Model: cms.Model{ID: "m1"}}, &site.Model{Model: cms.Model{ID: "m2"}}

// TestNamesAreUnique saves presets of one name at the same time, and takes a name that was given up.
func TestNamesAreUnique(t *testing.T) {
	s := &Store{DB: db.New(sim.New(sim.Options{}), time.Now)}
	ctx := t.Context()
	fits := func(cms.Problems, *Preset) error { return nil }
	create := func(model *site.Model, name string) (Preset, error) {
		return s.Create(ctx, cms.Actor{}, model, map[string]any{"name": name}, fits)
	}
	isTaken := func(err error) bool {
		var e *cms.Error
		return errors.As(err, &e) && e.Code == cms.CodeConflict
	}
	errs := make([]error, 8)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { _, errs[i] = create(m1, "Hero") })
	}
	wg.Wait()
	saved := 0
	for _, err := range errs {
		if err == nil {
			saved++
		} else if !isTaken(err) {
			t.Error(err)
		}
	}
	list, err := s.Of(ctx, m1)
	if err != nil || saved != 1 || len(list) != 1 {
		t.Fatalf("%d saved, %d listed, %v", saved, len(list), err)
	}
	rename := func(name string) error {
		_, err := s.Update(ctx, cms.Actor{}, m1, list[0].ID, map[string]any{"name": name}, nil, fits)
		return err
	}
	if err := rename("HERO"); err != nil { // its own name
		t.Error(err)
	}
	for _, name := range []string{strings.Repeat("🙂", 255), "a\x00b"} {
		if err := rename(name); err != nil {
			t.Error(err)
		}
	}
	if err := rename("İ"); err != nil {
		t.Error(err)
	}
	if _, err := create(m1, "i"); !isTaken(err) {
		t.Errorf("the name in lower case is taken: %v", err)
	}
	if err := rename("HERO"); err != nil {
		t.Error(err)
	}
	if _, err := create(m1, "hero"); !isTaken(err) {
		t.Errorf("the name is taken: %v", err)
	}
	if err := rename("Teaser"); err != nil {
		t.Error(err)
	}
	again, err := create(m1, "Hero")
	must.Do(t, err)
	if err := rename("Hero"); !isTaken(err) {
		t.Errorf("the name is taken again: %v", err)
	}
	if _, err := create(m2, "Hero"); err != nil {
		t.Errorf("another model: %v", err)
	}
	for i := 1; i < maxPresets; i++ {
		if _, err := create(m2, strconv.Itoa(i)); err != nil {
			t.Error(err)
		}
	}
	if _, err := create(m2, "one too many"); !isTaken(err) {
		t.Errorf("one too many: %v", err)
	}
	if err := s.Delete(ctx, cms.Actor{}, m1, again.ID); err != nil {
		t.Error(err)
	}
	if err := rename("Hero"); err != nil {
		t.Error(err)
	}
}

// TestValuesStay gives a preset another name where its values do not fit any more.
func TestValuesStay(t *testing.T) {
	s := &Store{DB: db.New(sim.New(sim.Options{}), time.Now)}
	ctx := t.Context()
	fit := func(_ cms.Problems, v *Preset) error {
		v.Values = Values{}
		return nil
	}
	as := func(cms.Problems, *Preset) error { return nil }
	v, err := s.Create(ctx, cms.Actor{}, m1, map[string]any{"name": "Hero", "values": map[string]any{"author": "1"}}, as)
	must.Do(t, err)
	for _, step := range []struct {
		body map[string]any
		want int // values
	}{{map[string]any{"name": "Teaser", "image": ""}, 1}, {map[string]any{"values": map[string]any{"author": "1"}}, 0}} {
		if _, err := s.Update(ctx, cms.Actor{}, m1, v.ID, step.body, nil, fit); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Get(ctx, m1, v.ID); err != nil || len(got.Values) != step.want {
			t.Errorf("%v: %v, %v", step.body, got.Values, err)
		}
	}
}
