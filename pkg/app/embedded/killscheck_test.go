package embedded

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// check compares the service with all that its clients know.
func (w *killsWorld) check() {
	w.checkEntries()
	w.checkSearch()
	w.checkFiles()
	w.checkWebhooks()
	w.checkMails()
	for line := range strings.Lines(w.log.String()) {
		if strings.Contains(line, `"level":"ERROR"`) || strings.Contains(line, "panic") ||
			strings.Contains(line, "DATA RACE") {
			w.t.Errorf("the server said %s", line)
		}
	}
}

// walk follows the cursors of a list.
func (w *killsWorld) walk(path string, query url.Values) (items []object, total int) {
	for {
		r := w.must(200, w.key, "GET "+path+"?"+query.Encode(), nil)
		for _, item := range r.list() {
			items = append(items, item.(map[string]any))
		}
		next, _ := r.json.Meta["next_cursor"].(string)
		total = r.total()
		if next == "" {
			return items, total
		}
		query.Set("cursor", next)
	}
}

func (w *killsWorld) checkEntries() {
	for _, model := range []string{"notes", "things"} {
		for _, status := range []string{"any", "draft", "published", "archived"} {
			for _, sort := range []string{"", "title", "data.code", "-data.n,updated_at"} {
				w.checkList(model, status, sort)
			}
		}
	}
	for _, r := range w.live() {
		got := w.must(200, w.key, "GET /api/v1/"+r.model+"/"+r.entry["slug"].(string), nil)
		if !reflect.DeepEqual(got.object(), r.entry) {
			w.t.Errorf("by slug: %s, want %v", got.raw, r.entry)
		}
	}
	var trash []string
	for page := 1; ; page++ {
		r := w.must(200, w.admin, "GET /admin/trash?per_page=100&page="+strconv.Itoa(page), nil)
		if total := len(w.trashed()); r.total() != total {
			w.t.Errorf("trash: total %d, want %d", r.total(), total)
		}
		if len(r.list()) == 0 {
			break
		}
		for _, item := range r.list() {
			trash = append(trash, item.(map[string]any)["id"].(string))
		}
	}
	var want []string
	for _, r := range w.trashed() {
		want = append(want, r.id)
	}
	slices.Sort(trash)
	slices.Sort(want)
	if !slices.Equal(trash, want) {
		w.t.Errorf("the trash has %d entries, want %d", len(trash), len(want))
	}
}

// checkList compares one list with the confirmed entries, in all pages.
func (w *killsWorld) checkList(model, status, sort string) {
	want := map[string]object{}
	for _, r := range w.live() {
		if r.model == model && (status == "any" || status == r.status()) {
			want[r.id] = r.entry
		}
	}
	query := url.Values{"per_page": {"100"}, "filter[status]": {status}}
	if sort != "" {
		query.Set("sort", sort)
	}
	items, total := w.walk("/api/v1/"+model, query)
	if total != len(want) || len(items) != len(want) {
		w.t.Errorf("%s %s by %q: total %d, %d entries, want %d", model, status, sort, total,
			len(items), len(want))
	}
	seen := map[string]bool{}
	for _, item := range items {
		id := item["id"].(string)
		if seen[id] {
			w.t.Errorf("%s %s by %q: %s twice", model, status, sort, id)
		}
		if seen[id] = true; !reflect.DeepEqual(item, want[id]) {
			w.t.Errorf("%s %s by %q: %v, want %v", model, status, sort, item, want[id])
		}
	}
}

func (w *killsWorld) checkSearch() {
	count := 0
	for _, r := range w.live() {
		want := map[string]bool{}
		if r.status() == "published" {
			want[r.id] = true
			count++
		}
		w.finds(r.word(), want)
		if r.former != "" {
			w.finds(r.former, map[string]bool{})
		}
	}
	for _, r := range w.trashed() {
		w.finds(r.word(), map[string]bool{})
	}
	if r := w.must(200, w.public, "GET /api/v1/search?q=title+many", nil); r.total() != count {
		w.t.Errorf("search for a common word: total %d, want %d", r.total(), count)
	}
}

func (w *killsWorld) checkFiles() {
	items, total := w.walk("/api/v1/upload/files", url.Values{"per_page": {"100"}})
	if len(items) != len(w.files) || total != len(w.files) {
		w.t.Errorf("%d files, total %d, want %d", len(items), total, len(w.files))
	}
	for _, file := range items {
		content, known := w.files[file["id"].(string)]
		if got := w.must(200, nil, "GET "+strings.TrimPrefix(file["url"].(string), w.url), nil); !known ||
			string(got.raw) != string(content) {
			w.t.Errorf("file %v holds %q, want %q", file, got.raw, content)
		}
	}
}

func (w *killsWorld) checkWebhooks() {
	things := map[string]bool{}
	entries := map[string]bool{}
	for key := range w.events {
		id := strings.Fields(key)[1]
		if strings.HasPrefix(key, "entry.") {
			entries[key] = true
			if w.records[id] != nil && w.records[id].model == "things" {
				things[key] = true
			}
		}
	}
	began := time.Now()
	for path, wanted := range map[string]map[string]bool{"/good": w.events, "/flaky": entries,
		"/slow": things} {
		var missing []string
		for deadline := time.Now().Add(w.wait); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
			if missing = w.receivers.missing(path, wanted); len(missing) == 0 {
				break
			}
		}
		w.t.Logf("%s: %d of %d events %s after the end", path, len(wanted)-len(missing),
			len(wanted), time.Since(began))
		if len(missing) > 0 {
			w.t.Errorf("%s lacks %d of %d events, such as %v", path, len(missing), len(wanted),
				missing[:min(5, len(missing))])
		}
		w.checkDeliveries(path, wanted)
	}
	for _, wrong := range w.receivers.wrong {
		w.t.Error("wrong delivery: ", wrong)
	}
}

// checkDeliveries compares a receiver with the log of its subscription.
func (w *killsWorld) checkDeliveries(path string, wanted map[string]bool) {
	hook := w.receivers.byURL[path]
	for key, ids := range hook.ids {
		if len(ids) != 1 {
			w.t.Errorf("%s: %s came with %d delivery ids", path, key, len(ids))
		}
		if !wanted[key] && strings.HasPrefix(key, "entry.") {
			w.t.Errorf("%s: %s came, and nobody knows of it", path, key)
		}
	}
	logged := map[string]bool{}
	cursor := ""
	for {
		var r reply
		for deadline := time.Now().Add(w.wait); ; time.Sleep(100 * time.Millisecond) {
			r = w.must(200, w.admin, "GET /admin/webhooks/"+hook.id+"?per_page=100"+cursor, nil)
			if !strings.Contains(string(r.raw), `"status":"pending"`) || time.Now().After(deadline) {
				break
			}
		}
		list, _ := r.object()["deliveries"].([]any)
		for _, item := range list {
			d := item.(map[string]any)
			id := d["id"].(string)
			attempts, _ := d["attempts"].([]any)
			if d["status"] != "delivered" || len(attempts) == 0 {
				w.t.Errorf("%s: logged %.400v", path, d)
			}
			logged[id] = true
		}
		next, _ := r.json.Meta["next_cursor"].(string)
		if next == "" || len(list) == 0 {
			break
		}
		cursor = "&cursor=" + url.QueryEscape(next)
	}
	for id := range hook.accepted {
		if !logged[id] {
			w.t.Errorf("%s: delivery %s is not in the log", path, id)
		}
	}
	if len(logged) != len(hook.accepted) {
		w.t.Errorf("%s: %d deliveries logged, %d taken", path, len(logged), len(hook.accepted))
	}
}

// checkMails expects a mail to each address for each submission.
func (w *killsWorld) checkMails() {
	lacking := func() (lacking int) {
		var all strings.Builder
		filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && filepath.Ext(path) == ".eml" {
				b, _ := os.ReadFile(path) // it may just be written
				all.Write(b)
			}
			return nil
		})
		for text := range w.mails {
			if strings.Count(all.String(), text) < 2 {
				lacking++
			}
		}
		return lacking
	}
	w.until("mails", func() bool { return lacking() == 0 })
}
