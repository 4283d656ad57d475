package schema

import (
	"strings"

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
		switch {
		case was == nil:
			w.addChange("create", "redirect", "redirects."+from, Safe, "New redirect.")
			w.create(put, drop)
			return nil
		case len(differences(part(*was), part(now))) > 0:
			w.addChange("update", "redirect", "redirects."+from, Safe,
				"Changes: "+strings.Join(differences(part(*was), part(now)), ", ")+".")
		default:
			return nil
		}
		w.stage(put)
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
