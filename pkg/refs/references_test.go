package refs

import (
	"reflect"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
)

func TestReferences(t *testing.T) {
	m := cmstest.Model(t, cmstest.FullModel)
	refs := References(m,
		cmstest.Object(t, `{"cover": "`+cmstest.ID+`", "gallery": ["x", "`+cmstest.ID+`"], "author": "`+cmstest.ID+`", "related": [null, "`+cmstest.ID+`"],
		"body": "`+cmstest.ID+`", "meta": {"cover": "`+cmstest.ID+`"},
		"blocks": [{"type": "stat", "image": "`+cmstest.ID+`"}, {"type": "hero", "image": "`+cmstest.ID+`"}, {"type": "gone", "image": "`+cmstest.ID+`"}]}`))
	want := []Reference{
		{Path: "data.cover", Kind: cms.TypeMedia, ID: cmstest.ID, Mimes: []string{"image/*"}},
		{Path: "data.gallery.1", Kind: cms.TypeMedia, ID: cmstest.ID, Mimes: []string{}},
		{Path: "data.author", Kind: cms.TypeRelation, Model: "authors", ID: cmstest.ID, Mimes: []string{}},
		{Path: "data.related.1", Kind: cms.TypeRelation, Model: "articles", ID: cmstest.ID,
			Mimes: []string{}},
		{Path: "data.blocks.1.image", Kind: cms.TypeMedia, ID: cmstest.ID, Mimes: []string{}},
	}
	if !reflect.DeepEqual(refs, want) {
		t.Errorf("got %+v", refs)
	}
}

func TestWithStoredIDs(t *testing.T) {
	m := cmstest.Model(t, cmstest.FullModel)
	m.Fields = append(m.Fields, cms.Field{Name: "to", Type: cms.TypeRelation, Many: true,
		Models: []string{"articles", "authors"}})
	const data = `{"cover": "ID", "gallery": ["ID", "X"], "author": "ID", "body": "UPPER", "meta": {"cover": "UPPER"}, "notes": null,
		"to": [{"model": "authors", "id": "ID"}, {}], "blocks": [{"type": "stat", "image": "UPPER"}, {"type": "hero", "image": "ID"}]}`
	upper := strings.ToUpper(cmstest.ID)
	sent := cmstest.Object(t, strings.NewReplacer("ID", upper, "UPPER", upper).Replace(data))
	want := cmstest.Object(t, strings.NewReplacer("ID", cmstest.ID, "UPPER", upper).Replace(data))
	if got := WithStoredIDs(m.Fields, sent); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if sent["cover"] != upper || sent["gallery"].([]any)[0] != upper {
		t.Error("the data sent was changed")
	}
}
