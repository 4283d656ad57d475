package admin

// Routes are all routes, for the tests.
func (a *Admin) Routes() (all []Route) {
	for _, methods := range a.routes {
		for _, r := range methods {
			all = append(all, r)
		}
	}
	return all
}
