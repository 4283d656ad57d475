package api

import (
	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
)

// ifUnused reads the parameter if_unused of a DELETE (extensions §6).
func ifUnused(c *pipeline.Call) (bool, error) {
	query := c.R.URL.Query()
	if !query.Has("if_unused") {
		return false, nil
	}
	if values := query["if_unused"]; len(values) != 1 || values[0] != "true" {
		return false, cms.Errorf(cms.CodeBadRequest, "if_unused can only be true.")
	}
	return true, nil
}
