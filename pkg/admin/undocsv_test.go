package admin_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestUndoOfCSV takes the import of a CSV file back, by forms without scripts: new entries go to the trash, and entries
// and drafts are as before, also those of two rows. Later changes stay, and the page says so.
func TestUndoOfCSV(t *testing.T) {
	s := newSite(t)
	c, b := s.as(t, adminEmail), s.browse(t)
	c.must(t, 201, "POST", "/models", `{"slug":"posts","name":"Posts","fields":[{"name":"body","type":"text"}]}`)
	const at = "/models/posts/entries"
	create := func(slug, status string) string {
		return c.must(t, 201, "POST", at, map[string]any{"title": "Old", "slug": slug, "status": status}).text(t, "id")
	}
	// imported sends a file and returns the job, after all of its rows are saved.
	imported := func(mode, file string) string {
		t.Helper()
		form := url.Values{"_csrf": {b.get(t, "/models/posts/import").csrf(t)}, "mode": {mode}}
		a := b.postFile(t, at+".csv", form, []byte(file), "a.csv")
		_, job, _ := strings.Cut(a.Header().Get("Location"), "/jobs/")
		if _, err := s.on.Jobs.Work(t.Context(), job); err != nil {
			t.Fatal(err)
		}
		s.ahead.Add(int64(time.Second))
		return job
	}
	look := func() string {
		t.Helper()
		var all []string
		for _, e := range c.must(t, 200, "GET", at+"?per_page=100", nil).Data.([]any) {
			e := e.(map[string]any)
			line := e["slug"].(string) + " " + e["title"].(string) + " " + e["status"].(string)
			if d := c.do(t, "GET", at+"/"+e["id"].(string)+"/draft", nil); d.Code == 200 {
				line += " (" + d.text(t, "title") + ")"
			}
			all = append(all, line)
		}
		slices.Sort(all)
		return strings.Join(all, ", ")
	}
	undo := func(job string) answer {
		t.Helper()
		if page := b.get(t, "/jobs/"+job); !contains(page, `name="of"`) {
			t.Fatalf("no Undo: %s", page.Body)
		}
		undo := s.working(b)(t, "model", "posts", "action", "revert", "of", job)
		s.ahead.Add(int64(time.Second))
		if page := b.get(t, "/jobs/"+job); contains(page, `name="of"`) {
			t.Errorf("Undo is offered again: %s", page.Body)
		}
		return b.get(t, "/jobs/"+undo)
	}
	one, two := create("one", "published"), create("two", "published")
	three, four := create("three", "draft"), create("four", "published")
	c.must(t, 200, "PUT", at+"/"+two+"/draft", `{"title":"Draft"}`)
	before := look()
	for mode, want := range map[string]string{
		"draft": "five New draft, four Old published (New), one Old published (Twice), six Twice draft, " +
			"two Old published (New)",
		"publish": "five New published, four New published, one Twice published, six Twice published, " +
			"two New published (Draft)"} {
		job := imported(mode, "id,slug,title\n"+one+",one,New\n"+two+",two,New\n"+three+",six,New\n"+four+
			",four,New\n,five,New\n"+one+",one,Twice\n"+three+",six,Twice\n")
		if after := look(); after != want {
			t.Fatalf("%s: the import gave %s, want %s", mode, after, want)
		}
		if page := undo(job); !contains(page, ">5 of 5<") {
			t.Errorf("%s: the undo: %s", mode, page.Body)
		}
		if after := look(); after != before {
			t.Errorf("%s: the undo gave %s, want %s", mode, after, before)
		}
		for n, result := range []string{want, before} { // the undo of the undo, and that of this one
			job = c.must(t, 200, "GET", "/jobs", nil).text(t, 0, "id")
			if page := undo(job); !contains(page, ">5 of 5<") {
				t.Errorf("%s: undo %d: %s", mode, n+2, page.Body)
			}
			if after := look(); after != result {
				t.Errorf("%s: undo %d gave %s, want %s", mode, n+2, after, result)
			}
		}
	}

	job := imported("publish", "id,slug,title\n"+one+",,New\n"+two+",,New\n,seven,New\n,eight,New\n")
	c.must(t, 200, "PUT", at+"/"+two, `{"title":"Since"}`)
	eight := c.must(t, 200, "GET", at+"?filter[slug]=eight", nil).text(t, 0, "id")
	c.must(t, 200, "PUT", at+"/"+eight+"/draft", `{"title":"Since"}`)
	if page := undo(job); !contains(page, "4 of 4, 2 failed") ||
		!contains(page, "This entry has been changed since, so it stays as it is.") {
		t.Errorf("the undo: %s", page.Body)
	}
	if after, want := look(), "eight New published (Since), four Old published, one Old published, three Old draft, "+
		"two Since published (Draft)"; after != want {
		t.Errorf("the undo gave %s, want %s", after, want)
	}
	form := url.Values{"_csrf": {b.get(t, "/models/posts/import").csrf(t)}, "mode": {"draft"}, "dry_run": {"true"}}
	tried := b.postFile(t, at+".csv", form, []byte("title\nTried\n"), "a.csv")
	_, tries, _ := strings.Cut(tried.Header().Get("Location"), "/jobs/")
	if _, err := s.on.Jobs.Work(t.Context(), tries); err != nil {
		t.Fatal(err)
	}
	if page := b.get(t, "/jobs/"+tries); contains(page, `name="of"`) {
		t.Errorf("Undo of a file that was only tried: %s", page.Body)
	}
}
