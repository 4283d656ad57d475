package oracle_test

import (
	"fmt"
	"net/http"
	"slices"
)

// person is a user whose publications need approvals. What the key or the administrator publishes needs none.
type person struct {
	id     string
	header http.Header
	chief  bool // has the role that may lose the right to approve
}

// review is the question whether a version of an entry may be published. Reviews are never changed in place.
type review struct {
	returned                     bool
	by                           *person // who asked for it
	askers, reviewers, approvals []*person
}

// meet makes the users. The role of the last one is chief.
func (s *service) meet() {
	s.do("POST /admin/roles", obj{"slug": "chief", "name": "Chief", "rules": chief(true)})
	for _, name := range []string{"anna", "bert", "carl"} {
		role := "editor"
		if name == "carl" {
			role = "chief"
		}
		s.people = append(s.people, s.account(name, role))
	}
	s.do("POST /admin/roles", obj{"slug": "narrow", "name": "Narrow", "rules": list{
		obj{"models": limited.slugs(), "locales": limited.locales, "actions": list{"read"}}}})
	s.narrow = s.account("dora", "narrow")
}

// account makes a user and signs in.
func (s *service) account(name, role string) *person {
	email, password := name+"@example.com", "a long enough password"
	made := s.do("POST /admin/users", obj{"email": email, "name": name, "role": role, "password": password})
	login := s.do("POST /admin/login", obj{"email": email, "password": password})
	return &person{id: made.get("data.id").(string), chief: role == "chief",
		header: http.Header{"Authorization": {"Bearer " + login.get("data.token").(string)}}}
}

// chief is the rules of the role of that name.
func chief(approves bool) list {
	actions := list{"read", "write", "publish", "delete"}
	if approves {
		actions = append(actions, "approve")
	}
	return list{obj{"actions": actions}}
}

// as lets a person make the changes that follow; nil stands for the key and the administrator.
func (w *world) as(p *person) { w.by, w.site.by = p, []*person{p} }

func (s *site) mayApprove(p *person) bool { return !p.chief || !s.silent }

// moved is the review of an entry after a save of its content or draft.
func (r *review) moved() *review {
	if r == nil {
		return nil
	}
	next := *r
	next.approvals = nil
	return &next
}

// approvals counts the approvals of an entry whose givers may approve now.
func (s *site) approvals(e *entry) (count int) {
	if e.review != nil {
		for _, p := range e.review.approvals {
			if s.mayApprove(p) {
				count++
			}
		}
	}
	return count
}

// reviewState is the state of the review of an entry.
func (s *site) reviewState(e *entry) string {
	switch {
	case e.review == nil:
		return "none"
	case e.review.returned:
		return "returned"
	case s.approvals(e) >= max(1, e.m.review):
		return "approved"
	}
	return "requested"
}

// reviewed is the version that is approved.
func (e *entry) reviewed() string {
	if e.draft != nil {
		return fmt.Sprint("d", e.drafts)
	}
	return fmt.Sprint(e.version)
}

// isOf reports whether somebody saved the present draft or, without one, saved the entry last, or asked for its review.
func (e *entry) isOf(p *person) bool {
	if e.review != nil && slices.Contains(e.review.askers, p) {
		return true
	}
	if e.draft != nil {
		return slices.Contains(e.draftBy, p)
	}
	return e.savedBy == p
}

// judge returns why a save would be refused, also for want of approvals.
func (s *site) judge(before, e *entry) refusals {
	why := s.check(before, e)
	if !slices.Contains(why, "VALIDATION_FAILED") && s.isUnapproved(before, e) {
		why = append(why, "APPROVAL_REQUIRED")
	}
	return why
}

// isUnapproved reports whether a save would show the public something that needs approvals and has too few.
func (s *site) isUnapproved(before, e *entry) bool {
	if e.m.review == 0 || !e.public() || !slices.ContainsFunc(s.by, func(p *person) bool { return p != nil }) {
		return false
	}
	same := before != nil && before.content.equal(e.content) && before.locale == e.locale
	if same && before.public() {
		return false
	}
	// A save beside the draft is not what was approved.
	isVersion := before != nil && e.draft == nil && (same || before.draft != nil)
	return !isVersion || s.approvals(before) < e.m.review
}

// review lets people ask for a review of an entry, withdraw it and decide on it. Then one of them may publish it.
func (w *world) review(e *entry) {
	for range 1 + w.random.IntN(7) {
		p, r, path := pick(w, w.people...), e.review, e.adminPath()+"/review"
		if others := slices.DeleteFunc(slices.Clone(w.people), e.isOf); len(others) > 0 && w.chance(50) {
			p = pick(w, others...) // who may approve it
		}
		w.as(p)
		switch kind := w.random.IntN(10); {
		case kind < 2 || r == nil && kind < 8:
			next := &review{by: p, askers: []*person{p}}
			if r != nil {
				next.askers, next.approvals = append(next.askers, r.askers...), r.approvals
			}
			if r != nil && !r.returned {
				next.by = r.by
			}
			ids := list{}
			for _, o := range w.people {
				if w.chance(50) {
					next.reviewers, ids = append(next.reviewers, o), append(ids, o.id)
				}
			}
			w.do("POST "+path, obj{"reviewers": ids})
			e.review = next
			w.site.raise("entry.review_requested", e)
		case kind < 3:
			var why refusals
			if r == nil {
				why = refusals{"NOT_FOUND"}
			}
			w.do("DELETE "+path, nil, why...)
			e.review = nil
		default:
			w.decide(e, pick(w, "approve", "approve", "approve", "return"))
		}
	}
	body := obj{"status": "published"}
	switch kind := w.random.IntN(3); {
	case w.site.reviewState(e) != "approved" && w.chance(50):
	case kind == 0:
		w.do("POST "+e.path()+"/publish", obj{"force": false}, w.site.publish(e, false)...)
	default:
		if kind == 1 { // not what was approved
			body["data"] = obj{"n": float64(w.random.IntN(4))}
		}
		w.do("PUT "+e.path(), body, w.site.change(e, "", func(e *entry) { e.take(body) })...)
	}
}

// decide approves an entry or returns it.
func (w *world) decide(e *entry, action string) {
	version, r, why := e.reviewed(), e.review, refusals{}
	if w.chance(10) {
		version = pick(w, "d1", "1", "2")
	}
	if !w.site.mayApprove(w.by) {
		why = append(why, "FORBIDDEN")
	}
	if r == nil || r.returned {
		why = append(why, "CONFLICT")
	}
	if version != e.reviewed() || action == "approve" && e.outdated() {
		why = append(why, "PRECONDITION_FAILED")
	}
	if action == "approve" && e.isOf(w.by) {
		why = append(why, "FORBIDDEN")
	}
	w.do("POST "+e.adminPath()+"/review/"+action, obj{"version": version, "note": "a note"}, why...)
	if len(why) > 0 {
		return
	}
	next := r.moved()
	if next.returned = action == "return"; !next.returned {
		if slices.Contains(r.approvals, w.by) {
			return
		}
		next.approvals = append(slices.Clip(r.approvals), w.by)
	}
	e.review = next
	w.site.raise(map[bool]string{true: "entry.returned", false: "entry.approved"}[next.returned], e)
}

// muzzle takes the right to approve from the role chief, or gives it back.
func (w *world) muzzle() {
	w.as(nil)
	w.do("POST /admin/confirm", obj{"password": "a long enough password"})
	w.do("PUT /admin/roles/chief", obj{"rules": chief(w.site.silent)})
	w.site.silent = !w.site.silent
}

// names are the ids of people.
func names(people []*person) list {
	ids := list{}
	for _, p := range people {
		ids = append(ids, p.id)
	}
	return ids
}

// checkReview compares the review of an entry.
func (w *world) checkReview(e *entry) {
	r, by := e.review, any(nil)
	if r == nil {
		r = &review{}
	} else {
		by = r.by.id
	}
	got, reviewers, approvals := w.do("GET "+e.adminPath()+"/review", nil), list{}, list{}
	for _, p := range got.get("data.reviewers").(list) {
		reviewers = append(reviewers, dig(p, "id"))
	}
	for _, a := range got.get("data.approvals").(list) {
		approvals = append(approvals, dig(a, "user.id"))
	}
	want("the review of "+e.String(),
		[]any{got.get("data.state"), got.get("data.version"), got.get("data.requested_by.id"), reviewers, approvals},
		[]any{w.site.reviewState(e), e.reviewed(), by, names(r.reviewers), names(r.approvals)})
}

// checkReviews compares the lists of entries by the states of their reviews, and what waits for whom.
func (w *world) checkReviews() {
	for _, m := range models {
		for _, state := range []string{"requested", "approved", "returned"} {
			path := "/admin/models/" + m.slug + "/entries?filter[status]=any&filter[locale]=any&filter[review]=" + state
			var all []*entry
			for _, e := range w.all(w.admin, path, 7, false) {
				all = append(all, &entry{id: dig(e, "id").(string)})
			}
			is := func(e *entry) bool { return w.site.reviewState(e) == state }
			want(path, ids(all), ids(w.site.find(live, of(m, ""), is)))
		}
	}
	for _, p := range w.people {
		var got, should []string
		for _, task := range w.all(p.header, "/admin/tasks?", 7, false) {
			got = append(got, fmt.Sprint(dig(task, "kind"), " ", dig(task, "id")))
		}
		for _, e := range w.site.find(func(e *entry) bool { return e.review != nil }) {
			switch r := e.review; {
			case r.returned && r.by == p:
				should = append(should, "returned "+e.id)
			case !r.returned && slices.Contains(r.reviewers, p) && !slices.Contains(r.approvals, p):
				should = append(should, "review "+e.id)
			}
		}
		slices.Sort(got)
		slices.Sort(should)
		want("what waits for "+p.id, got, should)
	}
}
