package admin_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// pageFields are fields with blocks, in which others stand.
const pageFields = `{"name":"code","type":"text","unique":true},{"name":"lead","label":"Lead","type":"textarea"},
	{"name":"parts","label":"Parts","type":"blocks","fields":[
		{"name":"call","label":"Call to action","type":"group","fields":[{"name":"head","label":"Head","type":"text"},
			{"name":"big","type":"boolean"},{"name":"n","type":"number"},{"name":"to","type":"relation","model":"offers"},
			{"name":"picture","type":"media"},{"name":"lines","type":"list","fields":[{"name":"line","type":"text"}]}]},
		{"name":"columns","label":"Columns","type":"group","fields":[{"name":"cells","type":"blocks","fields":[
			{"name":"cell","label":"Cell","type":"group","fields":[{"name":"text","type":"textarea"}]}]}]}]}`

// presetDesk is a site with a model of pages, an offer, and a browser that writes.
func presetDesk(t *testing.T) (c client, b browser, offer string) {
	t.Helper()
	s := newSite(t)
	c, b = s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"offers","name":"Offers"}`)
	c.must(t, 201, "POST", "/models", `{"slug":"notes","name":"Notes","fields":[`+pageFields+`]}`)
	return c, b, c.must(t, 201, "POST", "/models/offers/entries", `{"title":"Summer sale"}`).text(t, "id")
}

// TestBlockPresets saves a block of a new entry and adds it to another, by forms without scripts.
func TestBlockPresets(t *testing.T) {
	c, b, offer := presetDesk(t)
	blank := b.get(t, "/models/notes/entries/create")
	if contains(blank, "Presets") || contains(blank, `class="tabs starts"`) {
		t.Errorf("presets before there are any: %s", blank.Body)
	}
	form := url.Values{"_csrf": {blank.csrf(t)}, "title": {"One"}, "data.parts.0.type": {"call"},
		"data.parts.0._id": {"a"}, "data.parts.0.head": {"Buy now"}, "data.parts.0.big": {"false", "true"},
		"data.parts.0.n":  {"7"},
		"data.parts.0.to": {"", offer}, "data.parts.0.lines.0.line": {"First"}, "data.parts.0.lines.1.line": {"Second"}}
	step := func(do string) answer {
		t.Helper()
		form.Set("_do", do)
		a := b.post(t, "/models/notes/entries?draft=true", form)
		if a.Code != 200 {
			t.Fatalf("%s: %d %s", do, a.Code, a.Body)
		}
		return a
	}
	if a := step("undo"); !contains(a, `value="more data.parts.0 _preset.name"`) ||
		contains(a, `name="data.parts.0._preset.name"`) {
		t.Errorf("a block: %s", a.Body)
	}
	if a := step("more data.parts.0 _preset.name"); !contains(a, `name="data.parts.0._preset.name"`) ||
		!contains(a, `data-source="/admin/media`) {
		t.Errorf("the panel: %s", a.Body)
	}
	form.Set("data.parts.0._preset.name", " ")
	if a := step("save data.parts.0._preset"); !contains(a, `<p class="error">is required</p>`) {
		t.Errorf("without a name: %s", a.Body)
	}
	form["data.parts.0._preset.image"] = []string{"", offer}
	if a := step("save data.parts.0._preset"); !contains(a, `<p class="error">there is no such picture</p>`) {
		t.Errorf("with a picture that is none: %s", a.Body)
	}
	form.Set("data.parts.0._preset.image", "")
	if a := step("done data.parts.0._preset"); contains(a, `name="data.parts.0._preset.name"`) {
		t.Errorf("cancelled: %s", a.Body)
	}
	form.Set("data.parts.0._preset.name", "Sale")
	saved := step("save data.parts.0._preset")
	if contains(saved, `name="data.parts.0._preset.name"`) || !contains(saved, "Saved as the preset “Sale”.") ||
		!contains(saved, `value="Buy now"`) {
		t.Errorf("saved: %s", saved.Body)
	}
	if a := step("save data.parts.0._preset"); !contains(a, "already has a preset or template of this name") {
		t.Errorf("the same name: %s", a.Body)
	}
	list := c.must(t, 200, "GET", "/models/notes/presets", nil)
	want := map[string]any{"head": "Buy now", "big": true, "n": 7.0, "to": offer, "lines": []any{
		map[string]any{"line": "First"}, map[string]any{"line": "Second"}}}
	if got := list.at(t, 0, "values"); fmt.Sprint(got) != fmt.Sprint(want) || list.at(t, 0, "field") != "parts" ||
		list.at(t, 0, "kind") != "call" {
		t.Errorf("stored %v", list.Data)
	}
	id := list.text(t, 0, "id")

	add := "add data.parts call " + id
	form = url.Values{"_csrf": {blank.csrf(t)}, "title": {"Two"}, "data.parts.0.type": {"call"}, "data.parts.0._id": {"a"},
		"data.parts.0.head": {"Mine"}}
	if a := b.get(t, "/models/notes/entries/create"); !contains(a, `value="`+add+`"`) ||
		!contains(a, "Sale<small>Call to action</small>") {
		t.Errorf("the chooser: %s", a.Body)
	}
	for _, do := range []string{add, "insert data.parts.0 call " + id} {
		a := step(do)
		at := map[bool]string{true: "1", false: "0"}[do == add]
		for _, part := range []string{`name="data.parts.` + at + `.type" value="call"`, `name="data.parts.` + at + `.head"`,
			`value="Buy now"`, `value="7"`,
			`name="data.parts.` + at + `.big" value="true" checked`, `value="` + offer + `" checked`, "Summer sale",
			`value="Second"`, `value="Mine"`} {
			if !contains(a, part) {
				t.Errorf("%s has no %s: %s", do, part, a.Body)
			}
		}
		if contains(a, `name="data.parts.`+at+`._id" value="a"`) {
			t.Errorf("%s kept the id of the block", do)
		}
	}

	// What fits no more is left out.
	c.must(t, 204, "DELETE", "/models/offers/entries/"+offer, nil)
	c.must(t, 200, "PUT", "/models/notes",
		`{"fields":[`+strings.NewReplacer(`{"name":"n","type":"number"},`, "", `"name":"big","type":"boolean"`,
			`"name":"big","type":"number"`).Replace(pageFields)+`]}`)
	a := step(add)
	if !contains(a, `value="Buy now"`) || contains(a, offer) || contains(a, `value="7"`) ||
		contains(a, `value="true" checked`) {
		t.Errorf("after the change of the schema: %s", a.Body)
	}
	c.must(t, 204, "DELETE", "/models/notes/presets/"+id, nil)
	if a := step(add); !contains(a, `name="data.parts.1.type" value="call"`) || contains(a, "Buy now") {
		t.Errorf("a preset that is gone: %s", a.Body)
	}
}

// TestRenamedPresets renames a type of blocks, its field and the fields of both after presets were saved.
func TestRenamedPresets(t *testing.T) {
	c, b, _ := presetDesk(t)
	at := "/models/notes/presets"
	if !contains(b.get(t, at), "Save as preset") {
		t.Error("a page without presets does not say where they are made")
	}
	block := c.must(t, 201, "POST", at,
		`{"name":"Sale","field":"parts","kind":"call","values":{"head":"Buy now","lines":[{"line":"L"}]}}`).text(t, "id")
	inner := c.must(t, 201, "POST", at,
		`{"name":"Cell","field":"parts.columns.cells","kind":"cell","values":{"text":"Inner"}}`).text(t, "id")
	template := c.must(t, 201, "POST", at, `{"name":"Page","values":{"lead":"Hello"}}`).text(t, "id")
	fields := strings.NewReplacer(`"name":"parts"`, `"name":"blocks"`, `"name":"call"`, `"name":"banner"`, `"name":"head"`,
		`"name":"heading"`, `"name":"line"`, `"name":"words"`, `"name":"cells"`, `"name":"boxes"`, `"name":"lead"`,
		`"name":"intro"`).Replace(pageFields)
	renames := ""
	for _, r := range []string{"parts blocks", "parts.call blocks.banner", "parts.call.head blocks.banner.heading",
		"parts.call.lines.line blocks.banner.lines.words", "parts.columns.cells blocks.columns.boxes", "lead intro"} {
		from, to, _ := strings.Cut(r, " ")
		renames += `,{"model":"notes","from":"` + from + `","to":"` + to + `"}`
	}
	schema := `{"models":[{"slug":"notes","name":"Notes","fields":[` + fields + `]}],"renames":[` + renames[1:] + `]}`
	plan := c.must(t, 200, "POST", "/schema/plan", `{"schema":`+schema+`}`).text(t, "plan_id")
	c.must(t, 200, "POST", "/schema/apply", `{"schema":`+schema+`,"plan_id":"`+plan+`"}`)
	for id, want := range map[string]string{
		block:    "blocks banner map[heading:Buy now lines:[map[words:L]]]",
		inner:    "blocks.columns.boxes cell map[text:Inner]",
		template: "  map[intro:Hello]",
	} {
		v := c.must(t, 200, "GET", at+"/"+id, nil)
		if got := fmt.Sprint(v.at(t, "field"), " ", v.at(t, "kind"), " ", v.at(t, "values")); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	a := b.post(t, "/models/notes/entries?draft=true", url.Values{"title": {"Two"},
		"_csrf": {b.get(t, "/models/notes/entries/create").csrf(t)}, "_do": {"add data.blocks banner " + block}})
	if !contains(a, `name="data.blocks.0.heading"`) || !contains(a, `value="Buy now"`) || !contains(a, `value="L"`) {
		t.Errorf("the block: %s", a.Body)
	}
	c.must(t, 200, "PUT", at+"/"+block, `{"name":"Big sale"}`)
}

// TestInnerPresets saves a block that stands in another one.
func TestInnerPresets(t *testing.T) {
	c, b, _ := presetDesk(t)
	form := url.Values{"_csrf": {b.get(t, "/models/notes/entries/create").csrf(t)}, "title": {"One"},
		"data.parts.0.type": {"columns"}, "data.parts.0.cells.0.type": {"cell"}, "data.parts.0.cells.0.text": {"Inner"},
		"data.parts.0.cells.0._preset.name": {"Cell"},
		"_do":                               {"save data.parts.0.cells.0._preset"}}
	a := b.post(t, "/models/notes/entries?draft=true", form)
	v := c.must(t, 200, "GET", "/models/notes/presets", nil).at(t, 0).(map[string]any)
	if v["field"] != "parts.columns.cells" || v["kind"] != "cell" ||
		!contains(a, `value="add data.parts.0.cells cell `+fmt.Sprint(v["id"])+`"`) {
		t.Errorf("%v: %s", v, a.Body)
	}
	if contains(a, `value="add data.parts cell `) {
		t.Errorf("it is offered in another field: %s", a.Body)
	}
}

// TestTextBlockPresets saves blocks of a text as presets, also blocks in such a block, and begins others with them.
func TestTextBlockPresets(t *testing.T) {
	c, b, offer := presetDesk(t)
	const head = `{"name":"head","label":"Head","type":"text"}`
	const quotes = `{"name":"quotes","type":"blocks","fields":[{"name":"quote","label":"Quote","type":"group","fields":[` +
		head + `]}]}`
	const texts = `{"name":"body","type":"richtext","fields":[{"name":"call","label":"Call","type":"group","fields":[
		{"name":"line","label":"Line","type":"text"},{"name":"to","type":"relation","model":"offers"},` + quotes + `,{"name":"inner","type":"richtext","fields":[
			{"name":"aside","label":"Aside","type":"group","fields":[` + head + `]}]}]},
		{"name":"note","label":"Note","type":"group","fields":[` + head + `]}]}`
	c.must(t, 201, "POST", "/models", `{"slug":"texts","name":"Texts","fields":[`+texts+`]}`)
	const at = "/models/texts/text-blocks?field=body&locale=en&type="
	blank := b.get(t, at+"call")
	if !contains(blank, `value="more block _preset.name"`) || !contains(blank, `aria-label="Save as preset: Call"`) {
		t.Errorf("a new block: %s", blank.Body)
	}
	token := blank.csrf(t)
	step := func(path, do string, form url.Values) answer {
		t.Helper()
		form.Set("_csrf", token)
		form.Set("_do", do)
		a := b.post(t, path, form)
		if a.Code != 200 {
			t.Fatalf("%s: %d %s", do, a.Code, a.Body)
		}
		return a
	}
	form := url.Values{"block.line": {"Buy now"}, "block.to": {"", offer}, "block.inner": {"```block aside\nhead: x\n```"},
		"block.quotes.0.type": {"quote"}, "block.quotes.0._id": {"a"}, "block.quotes.0.head": {"Said"}}
	panel := step(at+"call", "more block _preset.name", form)
	if !contains(panel, `name="block._preset.name"`) || !contains(panel, `value="save block._preset"`) ||
		!contains(panel, `value="Buy now"`) {
		t.Errorf("the panel: %s", panel.Body)
	}
	form.Set("block._preset.name", "")
	if a := step(at+"call", "save block._preset", form); !contains(a, `<p class="error">is required</p>`) {
		t.Errorf("without a name: %s", a.Body)
	}
	form.Set("block._preset.name", "Sale")
	saved := step(at+"call", "save block._preset", form)
	if !contains(saved, "Saved as the preset “Sale”.") || contains(saved, `name="block._preset.name"`) {
		t.Errorf("saved: %s", saved.Body)
	}
	form.Set("block.quotes.0._preset.name", "Saying")
	inBlock := step(at+"call", "save block.quotes.0._preset", form)
	form = url.Values{"block.head": {"x"}, "block._preset.name": {"Aside"}}
	step("/models/texts/text-blocks?field=body.call.inner&type=aside", "save block._preset", form)
	list := c.must(t, 200, "GET", "/models/texts/presets", nil)
	ids := map[string]string{}
	var got []string
	for i := range 3 {
		ids[list.text(t, i, "name")] = list.text(t, i, "id")
		got = append(got, fmt.Sprintf("%v %v %v %v", list.at(t, i, "name"), list.at(t, i, "field"),
			list.at(t, i, "kind"), list.at(t, i, "values")))
	}
	want := []string{"Aside body.call.inner aside map[head:x]", "Sale body call map[inner:```block aside\nhead: x\n``` " +
		"line:Buy now quotes:[map[head:Said type:quote]] to:" + offer + "]",
		"Saying body.call.quotes quote map[head:Said]"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("stored %q", got)
	}
	if !contains(inBlock, `value="add block.quotes quote `+ids["Saying"]+`"`) {
		t.Errorf("a block in a block does not offer its preset: %s", inBlock.Body)
	}
	again := step(at+"call", "add block.quotes quote "+ids["Saying"], url.Values{})
	if !contains(again, `name="block.quotes.0.head"`) || !contains(again, `value="Said"`) {
		t.Errorf("the preset of a block in a block: %s", again.Body)
	}
	of := b.get(t, at+"call&preset="+ids["Sale"])
	for _, part := range []string{`value="Buy now"`, "Summer sale", `value="` + offer + `" checked`, `value="Said"`,
		"block aside", `<button class="primary">Insert</button>`} {
		if !contains(of, part) {
			t.Errorf("the preset has no %s: %s", part, of.Body)
		}
	}
	for _, path := range []string{at + "note&preset=" + ids["Sale"], at + "call&preset=" + ids["Aside"],
		at + "call&preset=gone"} {
		if a := b.get(t, path); a.Code != 200 || contains(a, "Buy now") || contains(a, `value="x"`) ||
			!contains(a, `name="block.`) {
			t.Errorf("%s: %d %s", path, a.Code, a.Body)
		}
	}

	fields := strings.NewReplacer(`"body"`, `"text"`, `"call"`, `"banner"`, `"line"`, `"heading"`).Replace(texts)
	schema := `{"models":[{"slug":"texts","name":"Texts","fields":[` + fields + `]}],"renames":[` +
		`{"model":"texts","from":"body","to":"text"},{"model":"texts","from":"body.call","to":"text.banner"},` +
		`{"model":"texts","from":"body.call.line","to":"text.banner.heading"}]}`
	plan := c.must(t, 200, "POST", "/schema/plan", `{"schema":`+schema+`}`).text(t, "plan_id")
	c.must(t, 200, "POST", "/schema/apply", `{"schema":`+schema+`,"plan_id":"`+plan+`"}`)
	if a := b.get(t, "/models/texts/text-blocks?field=text&type=banner&preset="+ids["Sale"]); !contains(a,
		`value="Buy now"`) || !contains(a, "Summer sale") {
		t.Errorf("after it was renamed: %s", a.Body)
	}
}

// TestTemplates makes a template of an entry, and new entries of it.
func TestTemplates(t *testing.T) {
	c, b, offer := presetDesk(t)
	id := c.must(t, 201, "POST", "/models/notes/entries",
		`{"title":"Report","data":{"code":"A1","lead":"Live","parts":[{"type":"call","head":"Buy","to":"`+
			offer+`","lines":[{"line":"L"}]}]}}`).text(t, "id")
	c.must(t, 200, "PUT", "/models/notes/entries/"+id+"/draft", `{"data":{"lead":"Draft of it"}}`)
	entry := b.get(t, "/models/notes/entries/"+id+"/edit")
	form := "/models/notes/presets/create?entry=" + id
	if !contains(entry, `href="/admin`+form+`">Use as template</a>`) {
		t.Fatalf("the entry: %s", entry.Body)
	}
	if page := b.get(t, form); !contains(page, `value="Report"`) || !contains(page, `name="entry" value="`+id+`"`) {
		t.Errorf("the form: %s", page.Body)
	}
	post := func(name string) answer {
		return b.post(t, "/models/notes/presets", url.Values{"_csrf": {entry.csrf(t)}, "name": {name}, "image": {""},
			"entry": {id}})
	}
	if a := post(""); a.Code != 422 || !contains(a, `name="entry" value="`+id+`"`) {
		t.Errorf("without a name: %d %s", a.Code, a.Body)
	}
	made := post("Weekly <report>")
	if made.Code != 303 {
		t.Fatalf("saved: %d %s", made.Code, made.Body)
	}
	if a := post("weekly <Report>"); a.Code != 409 {
		t.Errorf("the same name: %d", a.Code)
	}
	at := strings.TrimSuffix(strings.TrimPrefix(made.Header().Get("Location"), "/admin"), "?ok=created")
	template := at[strings.LastIndex(at, "/")+1:]
	if page := b.get(t, at); !contains(page, "New entries") ||
		!contains(page, `<span class="badge">Lead</span> <span class="badge">Parts</span>`) || contains(page, `>code<`) {
		t.Errorf("its page: %s", page.Body)
	}
	blank, use := b.get(t, "/models/notes/entries/create?locale=en"),
		"/models/notes/entries/create?locale=en&template="+template
	if !contains(blank, `href="?locale=en&amp;template=`+template+`">Weekly &lt;report&gt;</a>`) ||
		!contains(blank, `href="?locale=en" aria-current="page">Blank</a>`) {
		t.Errorf("the choice: %s", blank.Body)
	}
	page := b.get(t, use)
	for _, part := range []string{"Draft of it</textarea>", `value="Buy"`, "Summer sale", `value="L"`,
		`name="title" lang="en" dir="ltr" rows="1" class="line"`,
		`id="f-slug" name="slug" lang="en" dir="ltr" type="text" value=""`,
		`id="f-data.code" name="data.code" lang="en" dir="ltr" type="text" value=""`, " autofocus"} {
		if !contains(page, part) {
			t.Errorf("the new entry has no %s: %s", part, page.Body)
		}
	}
	c.must(t, 204, "DELETE", "/models/offers/entries/"+offer, nil)
	if page := b.get(t, use); page.Code != 200 || contains(page, offer) || !contains(page, `value="Buy"`) {
		t.Errorf("without the offer: %s", page.Body)
	}
	for _, path := range []string{use + "0", "/models/offers/entries/create?template=" + template} {
		if page := b.get(t, path); page.Code != 200 || contains(page, "Draft of it") {
			t.Errorf("%s: %d", path, page.Code)
		}
	}
	if list := b.get(t, "/models/notes/entries?all=true"); !contains(list,
		`href="/admin/models/notes/presets">Presets and templates</a>`) {
		t.Errorf("the list: %s", list.Body)
	}
	edit := b.get(t, at+"/edit")
	if a := b.post(t, at, url.Values{"_csrf": {edit.csrf(t)}, "_method": {"PUT"}, "name": {"Monthly"},
		"image": {""}}); a.Code != 303 {
		t.Errorf("renamed: %d %s", a.Code, a.Body)
	}
	if a := c.must(t, 200, "GET", at, nil); a.at(t, "name") != "Monthly" || a.at(t, "values", "lead") != "Draft of it" ||
		a.at(t, "values", "code") != nil {
		t.Errorf("renamed: %v", a.Data)
	}
	log := c.must(t, 200, "GET", "/activity?filter[subject_id]="+template, nil)
	if log.at(t, 0, "event") != "preset.updated" || log.at(t, 1, "subject") != "template Weekly <report>" {
		t.Errorf("the record: %v", log.Data)
	}
}

// TestPresetRights holds who sees and changes presets, and what is refused.
func TestPresetRights(t *testing.T) {
	c, _, offer := presetDesk(t)
	at := "/models/notes/presets"
	note := c.must(t, 201, "POST", "/models/notes/entries",
		`{"title":"N","data":{"parts":[{"type":"call","head":"H"}]}}`).text(t, "id")
	one := c.must(t, 201, "POST", at, `{"name":"One","values":{"lead":"x","gone":1,"code":"c"}}`)
	if values := one.at(t, "values"); fmt.Sprint(values) != "map[lead:x]" {
		t.Errorf("stored %v", values)
	}
	c.must(t, 422, "POST", at, `{"name":"Two","field":"parts","kind":"gone","values":{}}`)
	c.must(t, 422, "POST", at, `{"name":"Two","kind":"call","values":{}}`)
	c.must(t, 422, "POST", at, `{"name":"Two","image":"`+offer+`","values":{}}`)
	c.must(t, 422, "POST", at, `{"name":"Two","values":{"lead":"`+strings.Repeat("x", 33<<10)+`"}}`)
	c.must(t, 409, "POST", at, `{"name":" oNE ","values":{}}`)
	c.must(t, 404, "POST", at, `{"name":"Two","entry":"`+offer+`"}`)
	c.must(t, 404, "GET", at+"/"+offer, nil)
	for i := range 49 {
		c.must(t, 201, "POST", at, fmt.Sprintf(`{"name":"P%d","field":"parts","kind":"call","values":{"head":"x"}}`, i))
	}
	if a := c.must(t, 409, "POST", at, `{"name":"Two","values":{}}`); !strings.Contains(a.Error.Message, "50") {
		t.Errorf("the 51st: %s", a.Body)
	}
	path := at + "/" + one.text(t, "id")
	c.must(t, 201, "POST", "/roles",
		`{"slug":"offer-writer","name":"Offers","rules":[{"models":["offers"],"actions":["read","write"]},{"models":["notes"],"actions":["read"]}]}`)
	for _, role := range []string{"viewer", "offer-writer"} {
		email := role + "@example.com"
		c.must(t, 201, "POST", "/users", map[string]any{"email": email, "name": "V", "password": password, "role": role})
		other := c.as(t, email)
		other.must(t, 403, "GET", at, nil)
		other.must(t, 403, "GET", path, nil)
		other.must(t, 403, "POST", at, `{"name":"Two","values":{}}`)
		other.must(t, 403, "PUT", path, `{"name":"Two"}`)
		other.must(t, 403, "DELETE", path, nil)
		looks := c.browseAs(t, email)
		page, entry := looks.get(t, "/models/notes/entries?all=true"), looks.get(t, "/models/notes/entries/"+note)
		if page.Code != 200 || contains(page, "Presets and templates") {
			t.Errorf("the list of a %s: %d", role, page.Code)
		}
		if entry.Code != 200 || contains(entry, "preset") || contains(entry, "Use as template") {
			t.Errorf("the entry of a %s: %d", role, entry.Code)
		}
	}
	c.must(t, 204, "DELETE", path, nil)
	c.must(t, 404, "GET", path, nil)
}
