package admin_test

import (
	"regexp"
	"strings"
	"testing"
)

// rowDesk is a site with an entry whose second version changed the second of four blocks and removed the third.
func rowDesk(t *testing.T) (c client, b browser, at string, quotes func(...string) string) {
	t.Helper()
	s := newSite(t)
	c, b = s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"notes","name":"Notes","fields":[{"name":"parts","type":"blocks","fields":[
		{"name":"quote","label":"Quote","type":"group","fields":[{"name":"text","label":"Words","type":"text"}]}]}]}`)
	quotes = func(texts ...string) string {
		for i, text := range texts {
			texts[i] = `{"type":"quote","text":"` + text + `"}`
		}
		return `{"data":{"parts":[` + strings.Join(texts, ",") + `]}}`
	}
	at = "/models/notes/entries/" + c.must(t, 201, "POST", "/models/notes/entries",
		`{"title":"N","status":"published",`+quotes("Red lamp", "Old chair", "Tall shelf", "Wide desk")[1:]).text(t, "id")
	c.must(t, 200, "PUT", at, quotes("Red lamp", "New chair", "Wide desk"))
	return c, b, at, quotes
}

// partsOf returns the words of the blocks of the draft.
func partsOf(t *testing.T, c client, at string) string {
	t.Helper()
	var texts []string
	parts, _ := c.must(t, 200, "GET", at+"/draft", nil).at(t, "data", "parts").([]any)
	for _, part := range parts {
		texts = append(texts, part.(map[string]any)["text"].(string))
	}
	return strings.Join(texts, ", ")
}

var rowButton = regexp.MustCompile(`name="row" value="([^"]*)">Restore this row<span class="hidden">: ([^<]*)<`)

// rowButtons returns the buttons of the page of the second version, as the row and its name.
func rowButtons(t *testing.T, b browser, at string) string {
	t.Helper()
	var found []string
	for _, m := range rowButton.FindAllStringSubmatch(b.get(t, at+"/revisions?show=2").Body.String(), -1) {
		found = append(found, m[1]+" = "+m[2])
	}
	return strings.Join(found, "; ")
}

// TestRestoreRow puts single rows of a former version back into a draft in which somebody has changed other rows.
func TestRestoreRow(t *testing.T) {
	c, b, at, quotes := rowDesk(t)
	c.must(t, 200, "PUT", at+"/draft", quotes("Blue lamp", "New chair", "Wide desk", "Soft rug"))
	const changed, removed = "data.parts 1 = 2. Quote", "data.parts 2 = 3. Quote"
	if got := rowButtons(t, b, at); got != changed+"; "+removed {
		t.Errorf("the page offers %s", got)
	}
	restore := func(row, show string) answer {
		t.Helper()
		return b.sent(t, at+"/revisions/1/restore", "row", row, "show", show)
	}
	for _, row := range []struct{ row, want, left string }{
		{"data.parts 2", "Blue lamp, New chair, Tall shelf, Wide desk, Soft rug", changed},
		{"data.parts 1", "Blue lamp, Old chair, Tall shelf, Wide desk, Soft rug", ""},
		{"data.parts 1", "Blue lamp, Old chair, Tall shelf, Wide desk, Soft rug", ""}, // a second click
	} {
		if a := restore(row.row, "2"); a.Code != 303 || partsOf(t, c, at) != row.want {
			t.Errorf("%s: %d, the draft has %s", row.row, a.Code, partsOf(t, c, at))
		}
		if got := rowButtons(t, b, at); got != row.left {
			t.Errorf("after %s the page offers %q", row.row, got)
		}
	}
	for _, row := range []string{"data.parts 4", "data.parts -1", "data.parts", "title 0", "data.none 0"} {
		if a := restore(row, "2"); a.Code != 404 {
			t.Errorf("%s: %d %s", row, a.Code, a.Body)
		}
	}
	if a := restore("data.parts 0", "99"); a.Code != 404 {
		t.Errorf("no such version: %d %s", a.Code, a.Body)
	}
}

// TestRestoreRowAtItsPlace: a removed row follows the row before it that is still there, or is the first. A row that
// was added since is no other row.
func TestRestoreRowAtItsPlace(t *testing.T) {
	for name, row := range map[string]struct {
		now  []string
		want string
	}{
		"its neighbour is gone": {[]string{"Red lamp", "Soft rug", "Wide desk"},
			"Red lamp, Tall shelf, Soft rug, Wide desk"},
		"all before it are gone": {[]string{"Wide desk", "Soft rug"}, "Tall shelf, Wide desk, Soft rug"},
		"its neighbour moved":    {[]string{"Wide desk", "New chair"}, "Wide desk, New chair, Tall shelf"},
		"no rows":                {nil, "Tall shelf"},
	} {
		t.Run(name, func(t *testing.T) {
			c, b, at, quotes := rowDesk(t)
			c.must(t, 200, "PUT", at, quotes(row.now...))
			b.sent(t, at+"/revisions/1/restore", "row", "data.parts 2", "show", "2")
			if got := partsOf(t, c, at); got != row.want {
				t.Errorf("the draft has %s, want %s", got, row.want)
			}
		})
	}
}

// TestRestoreRowInForm: a form of the entry that is open meanwhile knows the rows by their ids, and a row that the form
// changed is still the row that it was.
func TestRestoreRowInForm(t *testing.T) {
	c, b, at, _ := rowDesk(t)
	form, action := formOn(t, b.get(t, at))
	other, _ := formOn(t, b.get(t, at))
	form.Set("data.parts.1.text", "Green stool")
	if a := b.post(t, action, form); a.Code != 303 {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	b.sent(t, at+"/revisions/1/restore", "row", "data.parts 1", "show", "2")
	if got := partsOf(t, c, at); got != "Red lamp, Old chair, Wide desk" {
		t.Errorf("the draft has %s", got)
	}
	other.Set("data.parts.2.text", "Small desk")
	if a := b.post(t, action, other); a.Code != 303 {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	if got := partsOf(t, c, at); got != "Red lamp, Old chair, Small desk" {
		t.Errorf("after the other form the draft has %s", got)
	}
}
