package admin_test

import (
	"net/url"
	"strings"
	"testing"
)

// TestTextBlocks makes blocks of a text by their form: empty, refused, with rows and with the values of a block.
func TestTextBlocks(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	const head = `{"name":"head","label":"Head","type":"text","required":true}`
	c.must(t, 201, "POST", "/models", `{"slug":"notes","name":"Notes","fields":[{"name":"code","type":"text"},
		{"name":"parts","type":"blocks","fields":[{"name":"wide","type":"group","fields":[
			{"name":"body","type":"richtext","fields":[{"name":"call","type":"group","fields":[`+head+`]}]}]}]},
		{"name":"body","label":"Text","type":"richtext","fields":[
			{"name":"call","label":"Call to action","type":"group","fields":[`+head+`,{"name":"n","type":"number","max":9},
				{"name":"photo","type":"media"},{"name":"to","type":"relation","model":"notes"},
				{"name":"lines","type":"list","fields":[{"name":"line","type":"text"}]},
				{"name":"inner","type":"richtext","fields":[{"name":"aside","label":"Aside","type":"group",
					"fields":[{"name":"head","type":"text"}]}]}]}]}]}`)
	e := c.must(t, 201, "POST", "/models/notes/entries", `{"title":"One","data":{"parts":[{"type":"wide","body":"x"}]}}`)
	entry := b.get(t, "/models/notes/entries/"+e.text(t, "id"))
	const at = "/models/notes/text-blocks?field=body"
	if !contains(entry, `data-blocks="/admin`+at+`" data-kinds="call photo&#9;Call to action&#10;"`) ||
		!contains(entry, `data-blocks="/admin/models/notes/text-blocks?field=parts.wide.body" `+
			`data-kinds="call&#9;call&#10;"`) {
		t.Fatalf("the entry does not offer blocks: %s", entry.Body)
	}
	if a := b.get(t, "/models/notes/text-blocks?field=parts.wide.body&type=call"); !contains(a, `name="block.head"`) {
		t.Errorf("in a block: %s", a.Body)
	}
	blank := b.get(t, at+"&type=call&locale=en")
	if !contains(blank, `<h1 title="Call to action">`) || !contains(blank, `name="block.head" lang="en"`) ||
		!contains(blank, `data-source="/admin/media"`) || !contains(blank, `value="add block.lines"`) ||
		!contains(blank, `data-blocks="/admin`+at+`.call.inner" data-kinds="aside&#9;Aside&#10;"`) {
		t.Errorf("the empty form: %s", blank.Body)
	}
	form := url.Values{"_csrf": {blank.csrf(t)}, "block.head": {""}, "block.n": {"12"}}
	refused := b.post(t, at+"&type=call", form)
	if refused.Code != 422 || !contains(refused, `<p class="error">is required</p>`) ||
		!contains(refused, `<p class="error">must be at most 9</p>`) {
		t.Errorf("refused: %d %s", refused.Code, refused.Body)
	}
	form = url.Values{"_csrf": form["_csrf"], "block.head": {"a: b"}, "block.n": {"7"}, "block.lines.0.line": {"One"},
		"block.lines.0._id": {"i"}, "block.inner": {"```block aside\r\nhead: x\r\n```"}, "block.photo": {""}}
	const want = "````block call\nhead: |-\n  a: b\nn: 7\nlines: [{\"line\":\"One\"}]\n" +
		"inner: |-\n  ```block aside\n  head: x\n  ```\n````\n"
	made := b.post(t, at+"&type=call", form)
	if got := made.Body.String(); got != want || made.Header().Get("Content-Type") != "text/markdown; charset=utf-8" {
		t.Errorf("made %q", got)
	}
	again := b.post(t, at+"&locale=en", url.Values{"_csrf": form["_csrf"], "_do": {"read"}, "text": {want}})
	if !contains(again, `value="a: b"`) || !contains(again, `name="block.lines.0.line"`) ||
		!contains(again, `<button class="primary">Save</button>`) || !contains(again, "type=call") {
		t.Errorf("a block again: %s", again.Body)
	}
	form.Set("_do", "add block.lines")
	if a := b.post(t, at+"&type=call", form); !contains(a, `name="block.lines.1.line"`) || !contains(a, `value="a: b"`) {
		t.Errorf("another row: %s", a.Body)
	}
	for text, says := range map[string]string{"x": "The text is no block.",
		"```block gone\n```": "There is no such type of block.", "```block call\nhead: [\n```": "The block cannot be read."} {
		a := b.post(t, at, url.Values{"_csrf": form["_csrf"], "_do": {"read"}, "text": {text}})
		if a.Code < 400 || a.Code >= 500 || !strings.Contains(a.Body.String(), says) {
			t.Errorf("%q: %d %s", text, a.Code, a.Body)
		}
	}
	for _, path := range []string{"code", "parts", "parts.gone.body", ""} {
		if a := b.get(t, "/models/notes/text-blocks?type=call&field="+path); a.Code != 404 {
			t.Errorf("a form for %q: %d", path, a.Code)
		}
	}
}
