package transfer

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// CSV has the scenarios of entries as CSV.
var CSV = []kit.Scenario{{Name: "csv/export", Run: exportCSV}, {Name: "csv/import", Run: importCSV},
	{Name: "csv/export-dangling", Run: csvOfDangling}, {Name: "csv/export-large", Run: csvOfLargeEntries},
	{Name: "csv/tried", Run: triedCSV},
	{Name: "csv/import-large", Run: importLargeCSV}, {Name: "csv/spreadsheet", Run: csvInSpreadsheet}}

// exportCSV exports entries with every kind of value (extensions §16).
func exportCSV(t *testing.T, s *kit.Suite) {
	k, admin := s.AdminKey(t), s.Admin(t)
	model := s.Model(t, kit.Obj{"fields": kit.List{
		kit.Field("text", "text", nil), kit.Field("n", "number", nil), kit.Field("yes", "boolean", nil),
		kit.Field("day", "date", nil), kit.Field("tags", "multiselect",
			kit.Obj{"options": kit.List{"a|b", `c\d`, "=e"}}), kit.Field("any", "json", nil),
		kit.Field("size", "group", kit.Obj{"fields": kit.List{kit.Field("w", "number", nil),
			kit.Field("in", "group", kit.Obj{"fields": kit.List{kit.Field("h", "text", nil)}})}}),
		kit.Field("steps", "list", kit.Obj{"fields": kit.List{kit.Field("x", "text", nil)}}),
	}})
	title := "=Sum " + kit.Unique("t")
	id := k.Publish(t, model, title, kit.Obj{"text": "line\n\"quoted\", and more", "n": -2.5, "yes": true,
		"day": "2026-01-31", "tags": kit.List{"a|b", `c\d`}, "any": kit.Obj{"a": kit.List{1}},
		"size": kit.Obj{"w": 3, "in": kit.Obj{"h": `\N`}}, "steps": kit.List{kit.Obj{"x": "y"}}})
	file := "GET /models/" + model + "/entries.csv"
	header, rows := kit.CSVRows(t, admin.OK(t, 200, file, nil))
	want := strings.Split("id,locale,slug,title,status,seo.title,seo.description,data.text,data.n,data.yes,data.day,"+
		"data.tags,data.any,data.size.w,data.size.in.h,data.steps", ",")
	kit.Same(t, "columns", header, want)
	slug := k.Get(t, "/"+model+"/"+id).Str(t, "data.slug")
	if row := [][]string{{id, "en", slug, "'" + title, "published", "", "", "line\n\"quoted\", and more", "-2.5",
		"true", "2026-01-31", `a\|b|c\\d`, `{"a":[1]}`, "3", `\\N`, `[{"x":"y"}]`}}; !reflect.DeepEqual(rows, row) {
		t.Errorf("rows\n%q, want\n%q", rows, row)
	}
	for i := range 3 {
		k.Create(t, model, kit.Obj{"title": fmt.Sprint("Draft ", i)})
	}
	header, rows = kit.CSVRows(t, admin.OK(t, 200,
		file+"?columns=published_at,title,title&filter[status]=draft&sort=title", nil))
	if !reflect.DeepEqual(header, []string{"published_at", "title"}) ||
		!reflect.DeepEqual(rows, [][]string{{"", "Draft 0"}, {"", "Draft 1"}, {"", "Draft 2"}}) {
		t.Errorf("%v %v", header, rows)
	}
	hidden := "id,seo.noindex\n" + id + ",true\n"
	for _, want := range []string{"updated", "unchanged"} {
		sendCSV(t, s, model, "publish", hidden).Has(t, "seo.noindex", kit.Obj{"data.result." + want: 1})
	}
	if _, rows = kit.CSVRows(t, admin.OK(t, 200, file+"?columns=seo.noindex&filter[status]=published",
		nil)); !reflect.DeepEqual(rows, [][]string{{"true"}}) {
		t.Errorf("seo.noindex: %v", rows)
	}
	sendCSV(t, s, model, "publish", "id,seo.noindex\n"+id+",maybe\n").Has(t, "seo.noindex=maybe", kit.Obj{
		"data.result.failed.0.column": "seo.noindex"})
	if _, rows = kit.CSVRows(t, admin.OK(t, 200, file+"?"+url.Values{"filter[data.n][lt]": {"0"}}.Encode(),
		nil)); len(rows) != 1 {
		t.Errorf("a filter leaves %v", rows)
	}
	admin.Step(t, kit.Step{Call: file + "?columns=id,data.none", Code: "BAD_REQUEST"})
	admin.Step(t, kit.Step{Call: file + "?filter[none]=1", Code: "BAD_REQUEST"})
	admin.Step(t, kit.Step{Call: "GET /models/" + kit.Unique("none") + "/entries.csv", Code: "NOT_FOUND"})
}

// csvOfDangling sends back an export of an entry that refers to a deleted one, in a relation to several models.
func csvOfDangling(t *testing.T, s *kit.Suite) {
	k, admin := s.AdminKey(t), s.Admin(t)
	one, other := s.Model(t, nil), s.Model(t, nil)
	target := k.Publish(t, other, "Target", nil)
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("size", "group", kit.Obj{"fields": kit.List{
		kit.Field("to", "relation", kit.Obj{"models": kit.List{one, other}, "many": true})}})}})
	k.Publish(t, model, "Post", kit.Obj{"size": kit.Obj{"to": kit.List{kit.Obj{"model": other, "id": target}}}})
	k.OK(t, 204, "DELETE /"+other+"/"+target, nil)
	file := admin.OK(t, 200, "GET /models/"+model+"/entries.csv", nil)
	sendCSV(t, s, model, "publish", string(file.Raw)).Has(t, "a deleted target", kit.Obj{
		"data.result.unchanged": 1, "data.result.failed": kit.List{}})
}

// csvOfLargeEntries exports entries of which few fit into one answer of a function.
func csvOfLargeEntries(t *testing.T, s *kit.Suite) {
	const entries, largest = 8, 6 << 20
	k, admin := s.Key(t, nil), s.Admin(t)
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("body", "text", nil)}})
	for i := range entries {
		k.Create(t, model, kit.Obj{"title": fmt.Sprint("Large ", i), "data": kit.Obj{"body": strings.Repeat("a", 1_000_000)}})
	}
	exported := 0
	for path := "/models/" + model + "/entries.csv"; path != ""; {
		a := admin.OK(t, 200, "GET "+path, nil)
		if len(a.Raw) > largest {
			t.Errorf("an answer has %d bytes, more than %d", len(a.Raw), largest)
		}
		_, rows := kit.CSVRows(t, a)
		exported += len(rows)
		path, _, _ = strings.Cut(strings.TrimPrefix(a.Header.Get("Link"), "</admin"), ">")
	}
	if exported != entries {
		t.Errorf("%d entries were exported, want %d", exported, entries)
	}
}

// sendCSV imports a text and waits for the end of its job.
func sendCSV(t *testing.T, s *kit.Suite, model, mode, text string) kit.Answer {
	t.Helper()
	a := s.Admin(t).OK(t, 202, "POST /models/"+model+"/entries.csv",
		kit.FileBody(t, "a.csv", []byte(text), map[string]string{"mode": mode}))
	return s.EndOfJob(t, a.Str(t, "data.id"))
}

// importCSV imports rows of every kind of value (extensions §16).
func importCSV(t *testing.T, s *kit.Suite) {
	k, admin := s.AdminKey(t), s.Admin(t)
	target := k.Publish(t, s.Model(t, nil), "Target "+kit.Unique("t"), nil)
	model := s.Model(t, kit.Obj{"fields": kit.List{
		kit.Field("text", "text", nil), kit.Field("n", "number", kit.Obj{"max": 10}), kit.Field("yes", "boolean", nil),
		kit.Field("day", "date", nil), kit.Field("tags", "multiselect",
			kit.Obj{"options": kit.List{"a|b", `c\d`, "=e"}}), kit.Field("any", "json", nil),
		kit.Field("size", "group", kit.Obj{"fields": kit.List{kit.Field("w", "number", nil), kit.Field("h", "text", nil)}}),
		kit.Field("steps", "list", kit.Obj{"fields": kit.List{kit.Field("x", "text", nil)}}),
	}})
	word := kit.Unique("w")
	j := sendCSV(t, s, model, "publish",
		"\ufefftitle,slug,data.text,data.n,data.yes,data.day,data.tags,data.any,data.size.w,data.steps\r\n"+
			`One,`+word+`,'=1+1,2.50,true,2026-01-31,a\|b|c\\d,"{""a"":1}",3,"[{""x"":""y""}]"`+"\n"+
			"Two,"+word+"-2,"+`\\N`+",,false,,,,,\n")
	want := kit.Obj{"data.status": "done", "data.action": "import", "data.total": 2, "data.done": 2,
		"data.result.created": 2, "data.result.updated": 0, "data.result.unchanged": 0,
		"data.result.failed": kit.List{}}
	j.Has(t, "import", want)
	one := k.Get(t, "/"+model+"/"+word)
	one.Has(t, "import", kit.Obj{"data.status": "published",
		"data.data": kit.Obj{"text": "=1+1", "n": 2.5, "yes": true, "day": "2026-01-31",
			"tags": kit.List{"a|b", `c\d`}, "any": kit.Obj{"a": 1}, "size": kit.Obj{"w": 3},
			"steps": kit.List{kit.Obj{"x": "y"}}}})
	k.Get(t, "/"+model+"/"+word+"-2").Has(t, "import", kit.Obj{"data.data.text": `\N`, "data.data.n": nil})

	// A return is a text of its own.
	sendCSV(t, s, model, "publish", "title,slug,seo.title\nReturn,"+word+"-r,\"'\r\"\n").Has(t, "import",
		kit.Obj{"data.result.created": 1})
	k.Get(t, "/"+model+"/"+word+"-r").Has(t, "import", kit.Obj{"data.seo.title": "\r"})

	// What was exported is unchanged throughout, drafts too.
	draft := k.Create(t, model, kit.Obj{"title": "Unfinished"}).Str(t, "data.id")
	k.Put(t, "/"+model+"/"+one.Str(t, "data.id"), kit.Obj{"data": kit.Obj{"text": "a\r\nb\n'=c"}})
	file := string(admin.Get(t, "/models/"+model+"/entries.csv").Raw)
	for _, mode := range []string{"publish", "draft"} {
		sendCSV(t, s, model, mode, file).Has(t, "import",
			kit.Obj{"data.result.unchanged": 4, "data.result.updated": 0, "data.result.created": 0})
	}
	k.Get(t, "/"+model+"/"+draft).Has(t, "unchanged", kit.Obj{"data.status": "draft"})
	k.Get(t, "/"+model+"/"+word).Has(t, "unchanged", kit.Obj{"data.version": 2})

	// A published entry gets a draft; empty cells leave, \N clears.
	id := one.Str(t, "data.id")
	sendCSV(t, s, model, "draft", "id,data.text,data.n,data.size.h\n"+id+",,"+`\N`+",new\n").Has(t, "import",
		kit.Obj{"data.result.updated": 1})
	k.Get(t, "/"+model+"/"+id).Has(t, "import", kit.Obj{"data.data.n": 2.5})
	k.Get(t, "/"+model+"/"+id+"/draft").Has(t, "import", kit.Obj{"data.data.n": nil,
		"data.data.size": kit.Obj{"w": 3, "h": "new"}, "data.data.text": "a\r\nb\n'=c"})

	// Rows that are wrong are named by line and column, and nothing of them is saved.
	j = sendCSV(t, s, model, "publish", "title,slug,locale,data.n,data.day\nBad,"+word+"-3,,11,x\n\"Two\nlines\","+word+
		"-4,,x,\nShort,x\nOk,"+word+"-5,en,1,\n")
	j.Has(t, "import", kit.Obj{"data.result.created": 1, "data.total": 4, "data.result.failed.0.line": 2,
		"data.result.failed.0.column": "data.day", "data.result.failed.1.column": "data.n",
		"data.result.failed.2.line": 3, "data.result.failed.2.column": "data.n", "data.result.failed.3.line": 5,
		"data.result.failed.3.column": ""})
	k.Step(t, kit.Step{Call: "GET /" + model + "/" + word + "-3", Code: "ENTRY_NOT_FOUND"})

	// So is a row that its transaction refuses; the next ones are saved.
	j = sendCSV(t, s, model, "publish", "id,slug,data.n\n"+id+","+word+"-2,3\n,"+word+"-5,2\n")
	j.Has(t, "import", kit.Obj{"data.result.updated": 1, "data.result.failed.0.line": 2,
		"data.failed.0.code": "SLUG_CONFLICT"})

	// A dry run saves nothing.
	a := admin.OK(t, 202, "POST /models/"+model+"/entries.csv",
		kit.FileBody(t, "a.csv", []byte("title,slug\nNew,"+word+"-9\nOther,"+word+"-2\nTwo,"+word+"-2\n"),
			map[string]string{"mode": "publish", "dry_run": "true"}))
	s.EndOfJob(t, a.Str(t, "data.id")).Has(t, "import",
		kit.Obj{"data.result.created": 1, "data.result.updated": 1, "data.result.unchanged": 1})
	k.Step(t, kit.Step{Call: "GET /" + model + "/" + word + "-9", Code: "ENTRY_NOT_FOUND"})
	k.Get(t, "/"+model+"/"+word+"-2").Has(t, "import", kit.Obj{"data.title": "Two"})

	// References are ids, also those of relations to several models.
	pages := s.Model(t, nil)
	page := k.Publish(t, pages, "Page "+kit.Unique("p"), nil)
	other := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("to", "relation",
		kit.Obj{"models": kit.List{pages, model}, "many": true})}})
	sendCSV(t, s, other, "draft", "title,slug,data.to\nR,"+word+","+page+"|"+id+"\n").Has(t, "import",
		kit.Obj{"data.result.created": 1})
	admin.Step(t, kit.Step{Call: "GET /models/" + other + "/entries",
		Want: kit.Obj{"data.0.data.to": kit.List{kit.Obj{"model": pages, "id": page}, kit.Obj{"model": model, "id": id}}}})

	for name, row := range map[string]struct{ text, mode, detail string }{
		"unknown column": {"title,data.none\nx,y\n", "draft", "file"},
		"semicolons":     {"title;data.note\nx;y\n", "draft", "file"},
		"twice":          {"title,title\nx,y\n", "draft", "file"},
		"empty":          {"", "draft", "file"},
		"broken quotes":  {"title\n\"x\n", "draft", "file"},
		"not UTF-8":      {"title\n\xff\n", "draft", "file"},
		"mode":           {"title\nx\n", "live", "mode"},
	} {
		admin.Step(t, kit.Step{Name: name, Call: "POST /models/" + model + "/entries.csv",
			Body:    kit.FileBody(t, "a.csv", []byte(row.text), map[string]string{"mode": row.mode}),
			Invalid: row.detail})
	}
	admin.Step(t, kit.Step{Call: "POST /models/" + model + "/entries.csv", Body: kit.Obj{"upload": target},
		Invalid: "upload"})
}

// importLargeCSV imports a file by a direct upload.
func importLargeCSV(t *testing.T, s *kit.Suite) {
	admin, model := s.Admin(t), s.Model(t, nil)
	var b strings.Builder
	b.WriteString("title,slug,data.body\n")
	for i := range 120 {
		fmt.Fprintf(&b, "T%d,row-%d,%s\n", i, i, strings.Repeat("word ", 900))
	}
	file := []byte(b.String())
	begun := admin.Post(t, "/media/direct", kit.Obj{"name": "a.csv", "mime": "text/csv", "size": len(file)})
	body := kit.Obj{"upload": begun.Str(t, "data.id"), "mode": "draft", "dry_run": false}
	at := "POST /models/" + model + "/entries.csv"
	admin.Step(t, kit.Step{Call: at, Body: body, Invalid: "upload"})
	kit.UploadDirectly(t, s, begun, file)
	j := s.EndOfJob(t, admin.OK(t, 202, at, body).Str(t, "data.id"))
	j.Has(t, "import", kit.Obj{"data.status": "done", "data.total": 120, "data.result.created": 120,
		"data.result.failed": kit.List{}})
	admin.Step(t, kit.Step{Call: at, Body: body, Invalid: "upload"})
	admin.Step(t, kit.Step{Call: "GET /models/" + model + "/entries?filter[status]=draft",
		Want: kit.Obj{"meta.total": 120}})
}

// triedCSV imports files twice, and only tries it first: the result is the same. Rows take slugs and unique values of
// stored entries and of one another.
func triedCSV(t *testing.T, s *kit.Suite) {
	model := s.Model(t, kit.Obj{"fields": kit.List{kit.Field("code", "text", kit.Obj{"unique": true})}})
	k := s.Key(t, nil)
	a := k.Create(t, model, kit.Obj{"title": "A", "data": kit.Obj{"code": "1"}}).Str(t, "data.id")
	b := k.Create(t, model, kit.Obj{"title": "B", "data": kit.Obj{"code": "2"}}).Str(t, "data.id")
	for _, x := range []struct {
		name, file string
		want       kit.Obj
	}{
		{"stored values", "id,title,slug,data.code\n,C,,1\n" + a + ",A,b,\n" + a + ",A,,2\n",
			kit.Obj{"created": 0, "updated": 0, "unchanged": 0, "failed.#": 3, "failed.0.line": 2, "failed.1.line": 3}},
		{"values of other rows", "title,data.code\nD,4\nE,4\nF,5\n",
			kit.Obj{"created": 2, "updated": 0, "failed.#": 1, "failed.0.line": 3}},
		{"values that other rows leave", "id,data.code\n" + b + ",3\n" + a + ",2\n",
			kit.Obj{"updated": 2, "failed.#": 0}},
		{"one title twice", "title,data.code\nG,7\nG,8\nG,8\n", kit.Obj{"created": 2, "failed.#": 1}},
		{"one slug twice", "title,slug\nH,new\nI,new\n", kit.Obj{"created": 1, "updated": 1, "failed.#": 0}},
	} {
		want := kit.Obj{}
		for name, v := range x.want {
			want["data.result."+name] = v
		}
		for _, dry := range []string{"true", "false"} {
			made := s.Admin(t).OK(t, 202, "POST /models/"+model+"/entries.csv", kit.FileBody(t, "a.csv", []byte(x.file),
				map[string]string{"dry_run": dry}))
			s.EndOfJob(t, made.Str(t, "data.id")).Has(t, x.name+", dry "+dry, want)
		}
	}
}
