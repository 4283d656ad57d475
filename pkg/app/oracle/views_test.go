package oracle_test

// checkViews compares lists that views of the admin area show: entries with drafts, and those without a translation.
func (w *world) checkViews() {
	for _, m := range models {
		missing := pick(w, locales...)
		views := map[string]func(*entry) bool{
			"filter[has_draft]=true":  func(e *entry) bool { return e.draft != nil },
			"filter[has_draft]=false": func(e *entry) bool { return e.draft == nil },
		}
		if m.localized {
			views["filter[missing]="+missing] = func(e *entry) bool { return w.site.member(e, missing) == nil }
		}
		for filter, shows := range views {
			path := "/admin/models/" + m.slug + "/entries?filter[status]=any&filter[locale]=any&" + filter
			var all []*entry
			for _, e := range w.all(w.admin, path, 7, false) {
				all = append(all, &entry{id: dig(e, "id").(string)})
			}
			want(path, ids(all), ids(w.site.find(live, of(m, ""), shows)))
		}
	}
}
