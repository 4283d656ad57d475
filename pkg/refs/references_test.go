package refs

import (
	"reflect"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
)

func TestReferences(t *testing.T) {
	m := cmstest.Model(t, cmstest.FullModel)
	refs := References(m, cmstest.Object(t, `{"cover": "`+cmstest.ID+`", "gallery": ["x", "`+cmstest.ID+`"], "author": "`+cmstest.ID+`", "related": [null, "`+cmstest.ID+`"],
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
