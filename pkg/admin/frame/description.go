package frame

// description serves the OpenAPI document of the admin area's JSON side.
func (a *Admin) description() Route {
	return Route{Method: "GET", Pattern: "/openapi.json", Handle: func(*Call) (Result, error) {
		return Result{Raw: a.Cfg.Description(), RawType: "application/json; charset=utf-8"}, nil
	}}
}
