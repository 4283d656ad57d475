package e2e

import (
	"encoding/csv"
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"
)

var csvScenarios = []scenario{{name: "csv/export", run: exportCSV}, {name: "csv/import", run: importCSV},
	{name: "csv/import-large", run: importLargeCSV}, {name: "csv/spreadsheet", run: csvInSpreadsheet}}

// rowsOf reads a CSV answer: the names of its columns, and its rows.
func rowsOf(t *testing.T, a answer) (header []string, rows [][]string) {
	t.Helper()
	text, ok := strings.CutPrefix(string(a.Raw), "\ufeff")
	if !ok || a.Header.Get("Content-Type") != "text/csv; charset=utf-8" || !strings.Contains(text, "\r\n") {
		t.Errorf("%s %q", a.Header.Get("Content-Type"), text[:min(len(text), 40)])
	}
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all[0], all[1:]
}

// exportCSV exports entries with every kind of value (extensions §16).
func exportCSV(t *testing.T, s *suite) {
	k, admin := s.adminKey(t), s.admin(t)
	model := s.model(t, obj{"fields": list{
		field("text", "text", nil), field("n", "number", nil), field("yes", "boolean", nil), field("day", "date", nil),
		field("tags", "multiselect", obj{"options": list{"a|b", `c\d`, "=e"}}), field("any", "json", nil),
		field("size", "group", obj{"fields": list{field("w", "number", nil),
			field("in", "group", obj{"fields": list{field("h", "text", nil)}})}}),
		field("steps", "list", obj{"fields": list{field("x", "text", nil)}}),
	}})
	title := "=Sum " + unique("t")
	id := k.publish(t, model, title, obj{"text": "line\n\"quoted\", and more", "n": -2.5, "yes": true, "day": "2026-01-31",
		"tags": list{"a|b", `c\d`}, "any": obj{"a": list{1}}, "size": obj{"w": 3, "in": obj{"h": `\N`}}, "steps": list{obj{"x": "y"}}})
	file := "GET /models/" + model + "/entries.csv"
	header, rows := rowsOf(t, admin.ok(t, 200, file, nil))
	want := strings.Split("id,locale,slug,title,status,seo.title,seo.description,data.text,data.n,data.yes,data.day,"+
		"data.tags,data.any,data.size.w,data.size.in.h,data.steps", ",")
	if !reflect.DeepEqual(header, want) {
		t.Errorf("columns %v", header)
	}
	slug := k.ok(t, 200, "GET /"+model+"/"+id, nil).str(t, "data.slug")
	if row := [][]string{{id, "en", slug, "'" + title, "published", "", "", "line\n\"quoted\", and more", "-2.5", "true", "2026-01-31",
		`a\|b|c\\d`, `{"a":[1]}`, "3", `\\N`, `[{"x":"y"}]`}}; !reflect.DeepEqual(rows, row) {
		t.Errorf("rows\n%q, want\n%q", rows, row)
	}
	for i := range 3 {
		k.create(t, model, obj{"title": fmt.Sprint("Draft ", i)})
	}
	header, rows = rowsOf(t, admin.ok(t, 200, file+"?columns=published_at,title&filter[status]=draft&sort=title", nil))
	if !reflect.DeepEqual(header, []string{"published_at", "title"}) ||
		!reflect.DeepEqual(rows, [][]string{{"", "Draft 0"}, {"", "Draft 1"}, {"", "Draft 2"}}) {
		t.Errorf("%v %v", header, rows)
	}
	if _, rows = rowsOf(t, admin.ok(t, 200, file+"?"+url.Values{"filter[data.n][lt]": {"0"}}.Encode(), nil)); len(rows) != 1 {
		t.Errorf("a filter leaves %v", rows)
	}
	admin.step(t, step{call: file + "?columns=id,data.none", status: 400, code: "BAD_REQUEST"})
	admin.step(t, step{call: file + "?filter[none]=1", status: 400, code: "BAD_REQUEST"})
	admin.step(t, step{call: "GET /models/" + unique("none") + "/entries.csv", status: 404, code: "NOT_FOUND"})
}

// sendCSV imports a text and waits for the end of its job.
func sendCSV(t *testing.T, s *suite, model, mode, text string) answer {
	t.Helper()
	a := s.admin(t).ok(t, 202, "POST /models/"+model+"/entries.csv",
		form(t, "a.csv", []byte(text), map[string]string{"mode": mode}))
	return s.jobEnd(t, a.str(t, "data.id"))
}

// importCSV imports rows of every kind of value (extensions §16).
func importCSV(t *testing.T, s *suite) {
	k, admin := s.adminKey(t), s.admin(t)
	target := k.publish(t, s.model(t, nil), "Target "+unique("t"), nil)
	model := s.model(t, obj{"fields": list{
		field("text", "text", nil), field("n", "number", obj{"max": 10}), field("yes", "boolean", nil), field("day", "date", nil),
		field("tags", "multiselect", obj{"options": list{"a|b", `c\d`, "=e"}}), field("any", "json", nil),
		field("size", "group", obj{"fields": list{field("w", "number", nil), field("h", "text", nil)}}),
		field("steps", "list", obj{"fields": list{field("x", "text", nil)}}),
	}})
	word := unique("w")
	j := sendCSV(t, s, model, "publish", "\ufefftitle,slug,data.text,data.n,data.yes,data.day,data.tags,data.any,data.size.w,data.steps\r\n"+
		`One,`+word+`,'=1+1,2.50,true,2026-01-31,a\|b|c\\d,"{""a"":1}",3,"[{""x"":""y""}]"`+"\n"+
		"Two,"+word+"-2,"+`\\N`+",,false,,,,,\n")
	want := obj{"data.status": "done", "data.action": "import", "data.total": 2, "data.done": 2,
		"data.result.created": 2, "data.result.updated": 0, "data.result.unchanged": 0, "data.result.failed": list{}}
	j.has(t, "import", want)
	one := k.ok(t, 200, "GET /"+model+"/"+word, nil)
	one.has(t, "import", obj{"data.status": "published", "data.data": obj{"text": "=1+1", "n": 2.5, "yes": true, "day": "2026-01-31",
		"tags": list{"a|b", `c\d`}, "any": obj{"a": 1}, "size": obj{"w": 3}, "steps": list{obj{"x": "y"}}}})
	k.ok(t, 200, "GET /"+model+"/"+word+"-2", nil).has(t, "import", obj{"data.data.text": `\N`, "data.data.n": nil})

	// What was exported is unchanged throughout.
	k.ok(t, 200, "PUT /"+model+"/"+one.str(t, "data.id"), obj{"data": obj{"text": "a\r\nb\n'=c"}})
	file := string(admin.ok(t, 200, "GET /models/"+model+"/entries.csv", nil).Raw)
	for _, mode := range []string{"publish", "draft"} {
		sendCSV(t, s, model, mode, file).has(t, "import", obj{"data.result.unchanged": 2, "data.result.updated": 0, "data.result.created": 0})
	}
	k.ok(t, 200, "GET /"+model+"/"+word, nil).has(t, "unchanged", obj{"data.version": 2})

	// A published entry gets a draft; empty cells leave, \N clears.
	id := one.str(t, "data.id")
	sendCSV(t, s, model, "draft", "id,data.text,data.n,data.size.h\n"+id+",,"+`\N`+",new\n").has(t, "import", obj{"data.result.updated": 1})
	k.ok(t, 200, "GET /"+model+"/"+id, nil).has(t, "import", obj{"data.data.n": 2.5})
	k.ok(t, 200, "GET /"+model+"/"+id+"/draft", nil).has(t, "import", obj{"data.data.n": nil,
		"data.data.size": obj{"w": 3, "h": "new"}, "data.data.text": "a\r\nb\n'=c"})

	// Rows that are wrong are named by line and column, and nothing of them is saved.
	j = sendCSV(t, s, model, "publish", "title,slug,locale,data.n,data.day\nBad,"+word+"-3,,11,x\n\"Two\nlines\","+word+"-4,,x,\nShort,x\nOk,"+word+"-5,en,1,\n")
	j.has(t, "import", obj{"data.result.created": 1, "data.total": 4, "data.result.failed.0.line": 2, "data.result.failed.0.column": "data.day",
		"data.result.failed.1.column": "data.n", "data.result.failed.2.line": 3, "data.result.failed.2.column": "data.n",
		"data.result.failed.3.line": 5, "data.result.failed.3.column": ""})
	k.step(t, step{call: "GET /" + model + "/" + word + "-3", status: 404, code: "ENTRY_NOT_FOUND"})

	// So is a row that its transaction refuses; the next ones are saved.
	j = sendCSV(t, s, model, "publish", "id,slug,data.n\n"+id+","+word+"-2,3\n,"+word+"-5,2\n")
	j.has(t, "import", obj{"data.result.updated": 1, "data.result.failed.0.line": 2,
		"data.failed.0.code": "SLUG_CONFLICT"})

	// A dry run saves nothing.
	a := admin.ok(t, 202, "POST /models/"+model+"/entries.csv",
		form(t, "a.csv", []byte("title,slug\nNew,"+word+"-9\nOther,"+word+"-2\nTwo,"+word+"-2\n"),
			map[string]string{"mode": "publish", "dry_run": "true"}))
	s.jobEnd(t, a.str(t, "data.id")).has(t, "import", obj{"data.result.created": 1, "data.result.updated": 1, "data.result.unchanged": 1})
	k.step(t, step{call: "GET /" + model + "/" + word + "-9", status: 404, code: "ENTRY_NOT_FOUND"})
	k.ok(t, 200, "GET /"+model+"/"+word+"-2", nil).has(t, "import", obj{"data.title": "Two"})

	// References are ids, also those of relations to several models.
	pages := s.model(t, nil)
	page := k.publish(t, pages, "Page "+unique("p"), nil)
	other := s.model(t, obj{"fields": list{field("to", "relation", obj{"models": list{pages, model}, "many": true})}})
	sendCSV(t, s, other, "draft", "title,slug,data.to\nR,"+word+","+page+"|"+id+"\n").has(t, "import", obj{"data.result.created": 1})
	admin.step(t, step{call: "GET /models/" + other + "/entries", status: 200,
		want: obj{"data.0.data.to": list{obj{"model": pages, "id": page}, obj{"model": model, "id": id}}}})

	for name, row := range map[string]struct{ text, mode, detail string }{
		"unknown column": {"title,data.none\nx,y\n", "draft", "file"},
		"semicolons":     {"title;data.note\nx;y\n", "draft", "file"},
		"twice":          {"title,title\nx,y\n", "draft", "file"},
		"empty":          {"", "draft", "file"},
		"broken quotes":  {"title\n\"x\n", "draft", "file"},
		"not UTF-8":      {"title\n\xff\n", "draft", "file"},
		"mode":           {"title\nx\n", "live", "mode"},
	} {
		admin.step(t, step{name: name, call: "POST /models/" + model + "/entries.csv", status: 422, code: "VALIDATION_FAILED",
			body: form(t, "a.csv", []byte(row.text), map[string]string{"mode": row.mode}), details: []string{row.detail}})
	}
	admin.step(t, step{call: "POST /models/" + model + "/entries.csv", body: obj{"upload": target}, status: 422,
		code: "VALIDATION_FAILED", details: []string{"upload"}})
}

// importLargeCSV imports a file by a direct upload.
func importLargeCSV(t *testing.T, s *suite) {
	admin, model := s.admin(t), s.model(t, nil)
	var b strings.Builder
	b.WriteString("title,slug,data.body\n")
	for i := range 120 {
		fmt.Fprintf(&b, "T%d,row-%d,%s\n", i, i, strings.Repeat("word ", 900))
	}
	file := []byte(b.String())
	begun := admin.ok(t, 201, "POST /media/direct", obj{"name": "a.csv", "mime": "text/csv", "size": len(file)})
	body := obj{"upload": begun.str(t, "data.id"), "mode": "draft", "dry_run": false}
	at := "POST /models/" + model + "/entries.csv"
	admin.step(t, step{call: at, body: body, status: 422, code: "VALIDATION_FAILED", details: []string{"upload"}})
	if status := transfer(t, s, begun, file); status >= 300 {
		t.Fatalf("the transfer was answered %d", status)
	}
	j := s.jobEnd(t, admin.ok(t, 202, at, body).str(t, "data.id"))
	j.has(t, "import", obj{"data.status": "done", "data.total": 120, "data.result.created": 120, "data.result.failed": list{}})
	admin.step(t, step{call: at, body: body, status: 422, code: "VALIDATION_FAILED", details: []string{"upload"}})
	admin.step(t, step{call: "GET /models/" + model + "/entries?filter[status]=draft", status: 200, want: obj{"meta.total": 120}})
}
