package oracle_test

import (
	"maps"
	"net/http"
	"slices"
)

// redirect leads from a path to another one, or says that the page is gone.
type redirect struct {
	id, to string // to is "" for a page that is gone
	status int
}

// redirect makes a redirect by hand, or deletes the one that leads from the same path.
func (w *world) redirect() {
	place := func() string {
		if known := slices.Sorted(maps.Keys(w.addresses)); len(known) > 0 && w.chance(70) {
			return pick(w, known...)
		}
		return "/" + pick(w, words...)
	}
	from := place()
	had, taken := w.site.redirects[from]
	if taken && w.chance(60) {
		w.do("DELETE /admin/redirects/"+had.id, nil)
		delete(w.site.redirects, from)
		return
	}
	r, why := redirect{to: place(), status: pick(w, 301, 302, 410)}, refusals{}
	body := obj{"from": from, "to": r.to, "status": r.status}
	if r.status == http.StatusGone {
		r.to, body["to"] = "", nil
	}
	if taken {
		why = append(why, "CONFLICT")
	}
	if w.closes(from, r.to) {
		why = append(why, "VALIDATION_FAILED")
	}
	if a := w.do("POST /admin/redirects", body, why...); len(why) == 0 {
		r.id = a.get("data.id").(string)
		w.site.redirects[from] = r
	}
}

// closes reports whether a redirect would close a loop, through others and former addresses.
func (w *world) closes(from, to string) bool {
	former := map[string]string{}
	for _, r := range w.all(w.admin, "/admin/redirects/former?", 100, false) {
		former[dig(r, "from").(string)] = dig(r, "to").(string)
	}
	for seen := map[string]bool{}; to != "" && !seen[to]; {
		if to == from {
			return true
		}
		seen[to] = true
		if r, ok := w.site.redirects[to]; ok {
			to = r.to
		} else {
			to = former[to]
		}
	}
	return false
}

// follow returns where redirects lead from the address of an entry, to which a former address leads; "" if back.
func (s *site) follow(former, address string) string {
	for {
		r, ok := s.redirects[address]
		switch {
		case address == former:
			return ""
		case !ok || r.to == "":
			return address
		}
		address = r.to
	}
}

// leadsTo reports whether a redirect leads to an address.
func (s *site) leadsTo(address string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(s.redirects)), func(r redirect) bool { return r.to == address })
}

// checkRedirects resolves the redirects that were made by hand.
func (w *world) checkRedirects(s *site, more string) {
	for from, r := range s.redirects {
		should := obj{"kind": "redirect", "redirect": obj{"to": r.to, "status": r.status}}
		if r.to == "" {
			should = obj{"kind": "gone"}
		}
		meta := w.see("/resolve?path=" + from + more).get("meta").(obj)
		delete(meta, "preview")
		want("the redirect from "+from, meta, should)
	}
}
