package admin

import (
	"io/fs"
	"regexp"
	"testing"

	"headless/pkg/admin/ui"
	"headless/pkg/docs"
)

// TestGuidePictures: the guide shows pictures that are there and small, with words for those who do
// not see them.
func TestGuidePictures(t *testing.T) {
	shown := regexp.MustCompile(`!\[[^\]]+\]\(\.\./admin/ui/(assets/[^)]*)\)`).FindAllStringSubmatch(docs.Text("editors"),
		-1)
	if len(shown) < 7 {
		t.Errorf("the guide has %d pictures", len(shown))
	}
	for _, m := range shown {
		body, err := fs.ReadFile(ui.AssetFiles, m[1])
		if err != nil || len(body) > 30<<10 {
			t.Errorf("%s has %d bytes: %v", m[1], len(body), err)
		}
	}
}
