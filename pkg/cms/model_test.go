package cms_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"headless/pkg/cms/cmstest"
)

func TestVisible(t *testing.T) {
	m := cmstest.Model(t, cmstest.FullModel).Visible()
	if _, ok := m.Lookup("data.price"); !ok {
		t.Error("a visible field is unknown")
	}
	if _, ok := m.Lookup("data.color"); ok {
		t.Error("a hidden field is known")
	}
}

func TestWithDefaults(t *testing.T) {
	m := cmstest.Model(t, cmstest.FullModel)
	data := cmstest.Object(t,
		`{"featured": true, "price": null, "place": {"city": "x"}, "steps": [{"label": "a"}, 5], "blocks": [{"type": "stat"}, {"type": "hero"}]}`)
	before, _ := json.Marshal(data)
	got := m.WithDefaults(data)
	want := cmstest.Object(t,
		`{"featured": true, "price": 9.5, "color": "red", "place": {"city": "x", "size": 1}, "steps": [{"label": "a", "done": false}, 5],
		"blocks": [{"type": "stat", "when": "2024-01-01"}, {"type": "hero"}]}`)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
	if after, _ := json.Marshal(data); string(after) != string(before) {
		t.Errorf("the data sent was changed: %s", after)
	}
}
