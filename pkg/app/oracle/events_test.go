package oracle_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// heard is the kinds of events that the listener gets.
var heard = list{"entry.*", "paths.updated"}

// raise adds an event about an entry as it is now.
func (s *site) raise(kind string, e *entry) {
	s.events = append(s.events, fmt.Sprint(kind, " ", e.id, " ", e.m.slug, " ", e.locale, " ", e.slug, " ", e.title, " ",
		e.status, " ", s.address(e), " ", e.version))
}

// raiseSaved adds the events of a save.
func (s *site) raiseSaved(before, e *entry) {
	switch {
	case e.trashed && !before.trashed:
		s.raise("entry.deleted", e)
		return
	case before.version == 0:
		s.raise("entry.created", e)
	default:
		s.raise("entry.updated", e)
	}
	if e.public() && !before.public() {
		s.raise("entry.published", e)
	}
	if before.public() && !e.public() {
		s.raise("entry.unpublished", e)
	}
}

// poll returns the deliveries to the listener after the last one that was heard. A listener ends five minutes after
// it was asked last.
func (w *world) poll() list {
	w.polled = time.Now()
	path := "GET /admin/webhooks/" + w.listener + "/poll"
	if w.heard != "" {
		path += "?after=" + w.heard
	}
	return w.do(path, nil).get("data").(list)
}

// hear compares the events that the listener gets with those that were raised.
func (w *world) hear() {
	for more := len(w.site.events) > 0 || time.Since(w.polled) > 2*time.Minute; more; {
		deliveries := w.poll()
		for _, d := range deliveries {
			w.heard = dig(d, "id").(string)
			w.hearOne(dig(d, "body").(string))
		}
		// An answer has 50 deliveries at most.
		more = len(deliveries) == 50 || len(deliveries) > 0 && len(w.site.events) > 0
	}
	if len(w.site.events) > 0 {
		fail("events that did not come:\n%s", strings.Join(w.site.events, "\n"))
	}
}

// checkPaths compares the addresses of public entries with those that the events told.
func (w *world) checkPaths() {
	for _, e := range w.site.find(public) {
		address := w.site.address(e)
		if had := w.paths[e.id]; had != "" {
			want("the address of "+e.String()+" by the events", had, address)
		}
		w.paths[e.id] = address
	}
}

// hearOne compares one event.
func (w *world) hearOne(body string) {
	var event obj
	check(json.Unmarshal([]byte(body), &event))
	kind, data := event["event"].(string), event["data"].(obj)
	if kind == "paths.updated" {
		for _, m := range data["moves"].(list) {
			if id := dig(m, "id").(string); w.paths[id] != "" {
				w.paths[id] = dig(m, "to").(string)
			}
		}
		return
	}
	if kind == "entry.deleted" || kind == "entry.unpublished" || kind == "entry.published" {
		delete(w.paths, data["id"].(string)) // no event tells what changes while it is not public
	}
	got := fmt.Sprint(kind, " ", data["id"], " ", data["model_slug"], " ", data["locale"], " ", data["slug"], " ",
		data["title"], " ", data["status"], " ", data["url"], " ", event["version"])
	at := slices.Index(w.site.events, got)
	if at < 0 {
		fail("the event %s, want one of\n%s", got, strings.Join(w.site.events, "\n"))
	}
	w.site.events = slices.Delete(slices.Clone(w.site.events), at, at+1)
}
