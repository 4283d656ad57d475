package schema

import (
	"headless/pkg/redirects"
)

// redirects plans the changes of redirects. A redirect is identified by its from.
func (w *work) redirects() error {
	plan, err := w.Redirects.Stage(w.ctx)
	if err != nil {
		return err
	}
	for _, from := range w.in.deletes["redirects"] {
		if drop, ok := plan.Delete(from); ok {
			w.addChange("delete", "redirect", "redirects."+from, Safe, "The redirect is deleted.")
			w.stage(drop)
		}
	}
	set := map[string]redirects.Redirect{}
	err = w.forEachPart("redirects", "from", func(at, from string, body map[string]any) error {
		p := map[string][]string{}
		was, now, put, drop := plan.Set(p, from, body)
		w.addProblems(at, p)
		set[at] = now
		switch changed := w.listChange("redirect", from, partOf(was), part(now), "New redirect."); {
		case was == nil:
			w.create(put, drop)
		case changed:
			w.stage(put)
		}
		return nil
	})
	for at, r := range set {
		if plan.Closes(r) {
			w.problems.Add(at+".to", "leads back to %s: this would be a loop", r.From)
		}
	}
	if n := len(plan.Redirects()); n > redirects.MaxRedirects {
		w.problems.Add("redirects", "there would be %d; a site may have %d", n, redirects.MaxRedirects)
	}
	return err
}
