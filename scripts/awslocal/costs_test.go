package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"headless/pkg/app/awsconf"
	"headless/pkg/app/awsconf/awsdynamodb"
	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/table/dynamo"
	"headless/scripts/internal/template"
)

// TestCosts measures each kind of work of infra/COSTS.md on the built functions, prints its row,
// and compares the units with those of the page. Then it replays a small day and compares the bill
// with the figures of the page. `make test-costs` runs it.
func TestCosts(t *testing.T) {
	e, built := prepare(t)
	p := readPage(t)
	w := startWorld(t, e, built, "costs")
	w.countUnits()
	w.d.pump(w.ctx, time.Hour)
	w.firstUser()
	w.fill()
	w.deliverPublished()
	w.admin.Do("POST", "/admin/models", json.RawMessage(model), nil)
	d := &day{world: w}
	d.write(entries)
	w.quiet()
	w.sweep() // the first one has what filling left behind
	d.idle = w.used(w.sweep)
	kinds := d.kinds()
	for _, k := range kinds {
		times := cmp.Or(k.times, 20)
		one := d.work(k, times, 0)
		row := p.row(k.name, one, float64(times))
		t.Log(row)
		said, ok := p.kinds[k.name]
		if got := p.table(one) / float64(times); !ok || math.Abs(got-said.table) > max(0.1*got, twoWrites) {
			t.Errorf("the page has %.2f for the units of this row: %s", said.table, row)
		}
	}
	said, measured := 0.0, 0.0
	for i, k := range kinds {
		said += p.kinds[k.name].total * float64(k.aDay)
		measured += p.total(d.work(k, k.aDay, 1000*(i+1)))
	}
	t.Logf("the day costs %.0f millionths of a dollar; the page says %.0f", measured, said)
	if math.Abs(measured-said) > 0.1*measured {
		t.Errorf("the page is %.0f %% off", 100*(said-measured)/measured)
	}
}

// twoWrites is what two write units cost, in millionths of a dollar. There may be as many more or
// less to a request: lines of the request log and counts of a key's limit are written for several
// requests together when they come quickly.
const twoWrites = 1.25

// TestCostsOfPurges compares the tags and paths that the built functions send to CloudFront with the
// page. `make test-costs` runs it.
func TestCostsOfPurges(t *testing.T) {
	e, built := prepare(t)
	said := purgeRows(t)
	w := startWorld(t, e, built, "purges")
	w.d.pump(w.ctx, time.Hour)
	w.firstUser()
	w.fill()
	w.admin.Do("POST", "/admin/models", json.RawMessage(model), nil)
	d := &day{world: w}
	var file struct {
		Data struct{ ID string }
	}
	d.billedFor(func() {}) // the first key, and the settings
	for _, row := range []struct {
		name string
		do   func()
	}{
		{"publication of a new entry", func() { d.write(1) }},
		{"a change of published content", func() { d.must("PUT", "/api/v1/articles/"+d.ids[0], `{"data": {"rank": 7}}`) }},
		{"upload of a new file", func() {
			d.upload()
			list := struct{ Data []struct{ ID string } }{}
			if err := json.Unmarshal(d.must("GET", "/api/v1/upload/files?per_page=1", ""), &list); err != nil ||
				len(list.Data) == 0 {
				t.Fatalf("no file: %v", err)
			}
			file.Data = list.Data[0]
		}},
		{"another alternative text, name, focal point or crop of a file", func() {
			w.admin.Do("PUT", "/admin/media/"+file.Data.ID, map[string]any{"alt": "A note"}, nil)
		}},
		{"a replaced or deleted file", func() { w.admin.Do("DELETE", "/admin/media/"+file.Data.ID, nil, nil) }},
	} {
		got := d.billedFor(row.do)
		if want, ok := said[row.name]; !ok || got != want {
			t.Errorf("%s: %d tags and paths, the page has %d", row.name, got, want)
		}
	}
}

// billedFor returns how many tags and paths something costs. A purge leaves 2 seconds after its
// change, and its batch is collected for a second.
func (d *day) billedFor(do func()) int64 {
	d.t.Helper()
	before := d.billed.Load()
	do()
	<-time.After(8 * time.Second)
	return d.billed.Load() - before
}

// purgeRows reads the table of purges of infra/COSTS.md: the number of tags and paths of each row
// that is about one change.
func purgeRows(t *testing.T) map[string]int64 {
	t.Helper()
	text, err := os.ReadFile("infra/COSTS.md")
	must.Do(t, err)
	rows := map[string]int64{}
	_, table, _ := strings.Cut(string(text), "| What | Tags and paths |")
	for _, line := range strings.Split(table, "\n")[2:] {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) < 2 {
			break
		}
		for _, part := range strings.Split(cells[1], ", ") {
			number, _, _ := strings.Cut(part, " ")
			if n, err := strconv.ParseInt(number, 10, 64); err == nil {
				rows[cells[0]] += n
			}
		}
	}
	return rows
}

// TestIdle compares what an idle stack costs with the page. The schedules and queues are those of the
// template.
func TestIdle(t *testing.T) {
	t.Chdir("../..")
	p := readPage(t)
	parsed, err := template.Load("template.yaml")
	must.Do(t, err)
	const minutes = 30 * 24 * 60
	const pollers, pollsAMinute = 5, 3.0
	got := map[string]float64{"Metrics": 0} // in millionths of a dollar
	for _, r := range parsed.Resources("AWS::Serverless::Function") {
		events, _ := r.Properties()["Events"].(map[string]any)
		for _, v := range events {
			event, _ := v.(map[string]any)
			settings, _ := event["Properties"].(map[string]any)
			switch kind := fmt.Sprint(event["Type"], " ", settings["Schedule"]); kind {
			case "Schedule rate(5 minutes)":
				got["Sweeps"] += minutes / 5 * p.kinds["sweep that finds nothing to do"].total
			case "Schedule rate(1 minute)": // the fifth call beside the sweep, too
				got["Looks at the timers"] += minutes * p.kinds["look at the timers"].total
			case "SQS <nil>":
				got["Polls"] += minutes * pollers * pollsAMinute * p.units["Requests to queues"]
			}
		}
		variables := fmt.Sprint(r.Properties()["Environment"])
		if r.ID == "SweeperFunction" {
			got["Counts"] += minutes / 5 * float64(strings.Count(variables, "_DEAD_LETTERS_URL")) *
				p.units["Requests to queues"]
		}
	}
	text, err := os.ReadFile("infra/COSTS.md")
	must.Do(t, err)
	_, table, _ := strings.Cut(string(text), "| Idle, a month |")
	table, _, _ = strings.Cut(table, "\n\n")
	total := 0.0
	for name, cost := range got {
		total += cost
		if !idleRow(table, name, cost) {
			t.Errorf("the page has another figure than %.1f cents for %s", cost/1e4, name)
		}
	}
	if !idleRow(table, "Together", total) || total >= 1e6 {
		t.Errorf("an idle stack costs %.1f cents", total/1e4)
	}
}

// TestExample: the month of the page costs what its rows say, and so does a page view.
func TestExample(t *testing.T) {
	t.Chdir("../..")
	p := readPage(t)
	var sum []string
	for _, work := range []struct {
		kind     string
		millions float64
	}{
		{"read by slug", 3}, {"list of 20, any indexed sort or one filter", 1}, {"search, common words", 0.1},
		{"publication of an entry of 100 words, merge, event and one webhook included", 0.002},
		{"submission of a form, with one mail", 0.005},
	} {
		sum = append(sum, fmt.Sprintf("%.1f", work.millions*p.kinds[work.kind].total))
	}
	text, err := os.ReadFile("infra/COSTS.md")
	if want := " costs " + strings.Join(sum, " + ") + ","; err != nil || !strings.Contains(string(text), want) {
		t.Errorf("the example does not have%s %v", want, err)
	}
	view := fmt.Sprintf(" %.1f + %.1f + ", p.kinds["read by slug"].total,
		p.kinds["list of 20 by the delivery API, not cached"].total)
	if !strings.Contains(string(text), "Functions, API and table:"+view) {
		t.Errorf("a page view is not%s", view)
	}
}

// TestFilesAtTheEdge: the page has the price of a request for a file, with the functions of CloudFront that
// it passes.
func TestFilesAtTheEdge(t *testing.T) {
	t.Chdir("../..")
	parsed, err := template.Load("template.yaml")
	must.Do(t, err)
	functions := 0
	for _, r := range parsed.Resources("AWS::CloudFront::Distribution") {
		if r.ID == "MediaDistribution" {
			config, _ := r.Properties()["DistributionConfig"].(map[string]any)
			behavior, _ := config["DefaultCacheBehavior"].(map[string]any)
			list, _ := behavior["FunctionAssociations"].([]any)
			functions = len(list)
		}
	}
	text, err := os.ReadFile("infra/COSTS.md")
	want := fmt.Sprintf("| Files and pictures | for each million requests 1.00 to CloudFront, %.2f for its functions",
		0.1*float64(functions))
	if err != nil || functions == 0 || !strings.Contains(string(text), want) {
		t.Errorf("the page does not have %q, %v", want, err)
	}
}

// idleRow reports whether the row that begins with name says a cost, to a tenth of a cent.
func idleRow(table, name string, cost float64) bool {
	for _, line := range strings.Split(table, "\n") {
		if !strings.HasPrefix(line, "| "+name) {
			continue
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		said, err := strconv.ParseFloat(strings.Trim(cells[len(cells)-1], "| "), 64)
		return err == nil && math.Abs(said-cost/1e4) < 0.06
	}
	return false
}

// bill counts the units that AWS bills.
type bill struct {
	table                            table.Usage
	requests, invocations, gbSeconds float64
	messages, mails, files           float64
}

func (b bill) minus(a bill) bill {
	b.table.ReadUnits -= a.table.ReadUnits
	b.table.WriteUnits -= a.table.WriteUnits
	b.requests -= a.requests
	b.invocations -= a.invocations
	b.gbSeconds -= a.gbSeconds
	b.messages -= a.messages
	return b
}

// page is infra/COSTS.md: the prices of units, and what a million of each kind of work costs, in
// dollars.
type page struct {
	units map[string]float64
	kinds map[string]costs
}

type costs struct{ table, total float64 }

func readPage(t *testing.T) page {
	t.Helper()
	text, err := os.ReadFile("infra/COSTS.md")
	must.Do(t, err)
	number := func(cell string) float64 {
		n, err := strconv.ParseFloat(cell, 64)
		must.Do(t, err)
		return n
	}
	p := page{map[string]float64{}, map[string]costs{}}
	kind := ""
	for _, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		switch {
		case !strings.HasPrefix(line, "|"):
			kind = ""
		case kind == "":
			kind = cells[0]
		case strings.HasPrefix(line, "|-"):
		case kind == "Unit":
			p.units[cells[0]] = number(cells[1])
		case kind == "A million of":
			p.kinds[cells[0]] = costs{number(cells[2]), number(cells[3])}
		}
	}
	return p
}

// table is the price of each unit of a bill, in millionths of a dollar.
func (p page) table(b bill) float64 {
	return b.table.ReadUnits*p.units["Read units of the table, on demand"] +
		b.table.WriteUnits*p.units["Write units of the table, on demand"]
}

// total is the bill in millionths of a dollar. A message is sent, received and deleted.
func (p page) total(b bill) float64 {
	return p.table(b) + b.requests*p.units["Requests to the HTTP API"] +
		b.invocations*p.units["Invocations of functions"] +
		b.gbSeconds*p.units["GB-seconds of functions (arm64)"] +
		3*b.messages*p.units["Requests to queues"] +
		b.mails*p.units["Mails by SES"] + b.files*p.units["Files put into the bucket"]
}

// row is the line of the page for a kind that was done a number of times.
func (p page) row(name string, b bill, times float64) string {
	short := func(v float64) string {
		if v < 10 {
			return strconv.FormatFloat(v, 'f', 1, 64)
		}
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return fmt.Sprintf("| %s | %.0f / %.0f | %s | %s |", name, b.table.ReadUnits/times,
		max(0, b.table.WriteUnits/times), // the writes of a sweep vary a little
		short(p.table(b)/times), short(p.total(b)/times))
}

// countUnits lets the guard count units.
func (w *world) countUnits() {
	w.t.Helper()
	getenv := func(name string) string { return w.d.variables[name] }
	cfg, err := awsconf.Config(getenv)
	must.Do(w.t, err)
	w.units = newMeter(dynamo.New(awsdynamodb.New(cfg, getenv), w.d.scope.Refs["Table"]))
	w.d.guard.Measure = w.units.measure
}

// used is what something uses until all is quiet again.
func (w *world) used(do func()) bill {
	w.t.Helper()
	w.quiet()
	before := w.bill()
	do()
	w.quiet()
	return w.bill().minus(before)
}

// bill counts the units used since the start. Mails and files are not known here.
func (w *world) bill() bill {
	w.t.Helper()
	w.recording.step(w.t)
	usage, err := w.units.usage()
	must.Do(w.t, err)
	b := bill{table: usage, messages: float64(w.received.Load())}
	w.recording.mu.Lock()
	defer w.recording.mu.Unlock()
	for _, p := range w.recording.points {
		switch p.metric.Namespace + " " + p.metric.Name {
		case "AWS/ApiGateway Count":
			b.requests += p.Value
		case "AWS/Lambda Invocations":
			b.invocations += p.Value
		case "AWS/Lambda " + gbSeconds:
			b.gbSeconds += p.Value
		}
	}
	return b
}

// deliverPublished has the webhook receive publications alone.
func (w *world) deliverPublished() {
	var list []struct{ ID, Name, URL string }
	w.admin.Do("GET", "/admin/webhooks", nil, &list)
	w.admin.Do("PUT", "/admin/webhooks/"+list[0].ID, map[string]any{"name": list[0].Name,
		"url": list[0].URL, "events": []string{"entry.published"}}, nil)
}

// entries stand in the site that is measured.
const entries = 300

// day is a site in use.
type day struct {
	*world
	ids  []string // of its published entries
	idle bill     // of a sweep that finds nothing to do
}

// work does something a number of times and returns the units used, without the sweep that
// completes it: that one comes anyway, and is a kind of its own. Created items are numbered from
// first.
func (d *day) work(k kind, times, first int) bill {
	d.t.Helper()
	b := d.used(func() {
		for i := range times {
			k.do(first + i)
		}
		d.quiet()
		d.sweep()
	}).minus(d.idle)
	b.mails, b.files = k.mails*float64(times), k.files*float64(times)
	b.messages += b.mails
	return b
}

// kind is a kind of work, as a row of the page names it.
type kind struct {
	name         string
	times        int // how often it is measured, 20 if 0
	aDay         int // how often in the day that is replayed
	mails, files float64
	do           func(i int)
}

func (d *day) kinds() []kind {
	get := func(path string) func(int) {
		return func(int) { d.must("GET", path, "") }
	}
	return []kind{
		{name: "read by id", aDay: 100, do: func(i int) {
			d.must("GET", "/api/v1/articles/"+d.ids[i%entries], "")
		}},
		{name: "read by slug", aDay: 200, do: func(i int) {
			d.must("GET", fmt.Sprintf("/api/v1/articles/article-%d", i%entries), "")
		}},
		{name: "list of 20, any indexed sort or one filter", aDay: 100,
			do: get("/api/v1/articles?per_page=20&sort=data.rank")},
		{name: "search, rare word", aDay: 20,
			do: func(i int) { d.must("GET", fmt.Sprintf("/api/v1/search?q=rare%05d", i%entries), "") }},
		{name: "list of 20 by the delivery API, not cached", aDay: 40, do: func(i int) {
			// The cache in front keeps an answer for each origin.
			d.headers["Origin"] = fmt.Sprintf("https://%d.example.com", i)
			defer delete(d.headers, "Origin")
			d.must("GET", d.delivery+"/articles?per_page=20&sort=data.rank", "")
		}},
		// How many saves share a merge varies, so that 20 of them vary by a tenth.
		{name: "update of one field", times: 100, aDay: 20, do: func(i int) {
			change := fmt.Sprintf(`{"data": {"rank": %d}}`, 5000+i)
			d.must("PUT", "/api/v1/articles/"+d.ids[i%entries], change)
		}},
		{name: "create of a draft of 100 words, its merge into the text index included", times: 100, aDay: 10,
			do: func(i int) { d.must("POST", "/api/v1/articles", article(10000+i, "draft")) }},
		{name: "publication of an entry of 100 words, merge, event and one webhook included", aDay: 20,
			do: func(i int) { d.must("POST", "/api/v1/articles", article(50000+i, "published")) }},
		{name: "submission of a form, with one mail", aDay: 5, mails: 1, do: func(i int) {
			// A visitor sends few.
			d.headers["X-Forwarded-For"] = fmt.Sprintf("203.0.%d.%d", i/250, i%250)
			defer delete(d.headers, "X-Forwarded-For")
			d.must("POST", "/api/v1/forms/contact/submit", `{"message": "Hello"}`)
		}},
		{name: "upload of a file to 4 MiB", aDay: 5, files: 1, do: func(int) { d.upload() }},
		{name: "list of entries in the admin area", aDay: 30, do: func(int) {
			d.admin.Do("GET", "/admin/models/articles/entries?per_page=20", nil, nil)
		}},
		{name: "sweep that finds nothing to do", aDay: 3, do: func(int) { d.sweep() }},
		{name: "look at the timers", aDay: 15, do: func(int) {
			sweeper := d.d.functions["SweeperFunction"]
			if _, err := sweeper.Invoke(d.ctx, []byte(`{"task":"timers"}`)); err != nil {
				d.t.Error(err)
			}
		}},
	}
}

// model is the model of the entries: eight fields, all but the texts of which have an index.
const model = `{"slug": "articles", "name": "Articles", "localized": true, "fields": [
	{"name": "category", "label": "Category", "type": "select",
		"options": ["c0", "c1", "c2", "c3", "c4"]},
	{"name": "author", "label": "Author", "type": "text"},
	{"name": "rank", "label": "Rank", "type": "number"},
	{"name": "featured", "label": "Featured", "type": "boolean"},
	{"name": "day", "label": "Day", "type": "date"},
	{"name": "tags", "label": "Tags", "type": "multiselect",
		"options": ["t0", "t1", "t2", "t3", "t4", "t5"]},
	{"name": "teaser", "label": "Teaser", "type": "textarea", "searchable": true},
	{"name": "body", "label": "Body", "type": "richtext", "searchable": true}]}`

// article is an entry of 100 words. Some of them are in most articles, one is in no other.
func article(i int, status string) string {
	r := rand.New(rand.NewPCG(7, uint64(i)))
	zipf := rand.NewZipf(r, 1.1, 3, 20_000)
	words := make([]string, 100)
	for j := range words {
		words[j] = fmt.Sprint("word", zipf.Uint64())
	}
	words[0] = fmt.Sprintf("rare%05d", i)
	text, _ := json.Marshal(map[string]any{"title": fmt.Sprint("Article ", i), "status": status,
		"data": map[string]any{"category": fmt.Sprint("c", i%5), "author": fmt.Sprint("Author ", i%20),
			"rank": i, "featured": i%7 == 0, "day": fmt.Sprintf("2026-%02d-%02d", 1+i%12, 1+i%28),
			"tags": []string{fmt.Sprint("t", i%6)}, "teaser": strings.Join(words[:20], " "),
			"body": "<p>" + strings.Join(words[20:], " ") + "</p>"}}) // always encodes
	return string(text)
}

// write makes the entries of the site.
func (d *day) write(n int) {
	for i := range n {
		var made struct{ Data struct{ ID string } }
		answer := d.must("POST", "/api/v1/articles", article(i, "published"))
		must.Do(d.t, json.Unmarshal(answer, &made))
		d.ids = append(d.ids, made.Data.ID)
	}
}

// must makes a request that must succeed.
func (d *day) must(method, path, body string) []byte {
	d.t.Helper()
	status, answer := d.ask(method, path, body)
	if status/100 != 2 {
		d.t.Fatalf("%s %s: %d %s", method, path, status, answer)
	}
	return answer
}
