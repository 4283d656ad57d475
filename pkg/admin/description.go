package admin

// DescriptionRoutes serve the OpenAPI document of the admin area's JSON side.
func DescriptionRoutes(document []byte) []Route {
	return []Route{{Method: "GET", Pattern: "/openapi.json", Handle: func(*Call) (Result, error) {
		return Result{Raw: document, RawType: "application/json; charset=utf-8"}, nil
	}}}
}
