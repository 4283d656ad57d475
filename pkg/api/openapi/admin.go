//go:build !beside

package openapi

import _ "embed"

//go:embed admin.json
var admin string

// AdminJSON returns the document of the admin area's JSON routes, served at GET
// /admin/openapi.json.
func AdminJSON() []byte { return []byte(admin) }
