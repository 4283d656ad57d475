package frame

// description returns the route of the OpenAPI document for the JSON API of the admin area.
func (a *Admin) description() Route {
	return Route{Method: "GET", Pattern: "/openapi.json", Handle: func(*Call) (Result, error) {
		return Result{Raw: a.Cfg.Description(), RawType: "application/json; charset=utf-8"}, nil
	}}
}
