package ui

import (
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// TestUndoText packs the Undo of 100 files, as many as one form may change, into a cookie. It is read for its page
// alone, and never leads elsewhere.
func TestUndoText(t *testing.T) {
	was := map[string]Former[map[string]any]{}
	folders := []string{"", uuid.Must(uuid.NewV7()).String(), uuid.Must(uuid.NewV7()).String()}
	for i := range 100 {
		was[uuid.Must(uuid.NewV7()).String()] = Replaced(map[string]any{"folder_id": folders[i%3]}, i)
	}
	u := UndoWith(Base+"/media/several", was, url.Values{"action": {"put"}})
	text := u.Text("/admin/media")
	if got := ReadUndo(text, "/admin/media"); text == "" || !reflect.DeepEqual(got, u) {
		t.Errorf("%d bytes: %v", len(text), got)
	}
	abroad := &Undo{Href: "https://example.com/admin/"}
	for _, wrong := range []string{text[:90], "", "no base64!", abroad.Text("/admin/media")} {
		if ReadUndo(wrong, "/admin/media") != nil {
			t.Errorf("read %q", wrong)
		}
	}
	if ReadUndo(text, "/admin/trash") != nil {
		t.Error("another page offers it")
	}
	u.Fields.Set("was", strings.Repeat(text, 5)+uuid.NewString())
	if len(u.Text("")) > maxUndo {
		t.Error("the text is too long for a cookie")
	}
}
