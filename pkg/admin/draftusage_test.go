package admin_test

import (
	"testing"
	"time"
)

// TestUseInDraftStays lists the uses of a file that an entry and its draft have, when its rows are old enough to be
// removed. The use is the draft's once the entry has the file no more.
func TestUseInDraftStays(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/models", `{"name":"Pages","slug":"pages","fields":[{"name":"cover","type":"media"}]}`)
	file := c.upload(t, 201, "a.txt", []byte("x"), nil).text(t, "id")
	cover := `{"title":"Lamp","data":{"cover":"` + file + `"}}`
	entry := "/models/pages/entries/" + c.must(t, 201, "POST", "/models/pages/entries", cover).text(t, "id")
	c.must(t, 200, "PUT", entry+"/draft", cover)
	uses := func(draft any) {
		t.Helper()
		s.ahead.Add(int64(time.Hour))
		list, _ := c.must(t, 200, "GET", "/media/"+file+"/usage", nil).Data.([]any)
		if len(list) != 1 || list[0].(map[string]any)["draft"] != draft {
			t.Errorf("the uses are %v", list)
		}
	}
	uses(nil)
	c.must(t, 200, "PUT", entry, `{"data":{"cover":null}}`)
	uses(true)
	c.must(t, 204, "DELETE", entry+"/draft", nil)
	c.must(t, 204, "DELETE", "/media/"+file+"?if_unused=true", nil)
}
