package frame

import (
	"headless/pkg/cms"
	"headless/pkg/site"
)

// Model returns the model in the path, even an inactive model.
func (c *Call) Model() (*site.Model, error) {
	if m := c.Site.Models[c.R.PathValue("slug")]; m != nil {
		return m, nil
	}
	return nil, cms.Errorf(cms.CodeNotFound, "There is no such model.")
}

// ModelCheck refuses a call about a model.
type ModelCheck = func(c *Call, m *site.Model) error

// OfModel returns the handler, or the form, of a route whose path has a model. It passes the checks in their order
// before handle runs.
func OfModel[T any](handle func(c *Call, m *site.Model) (T, error), checks ...ModelCheck) func(c *Call) (T, error) {
	return func(c *Call) (none T, err error) {
		m, err := c.Model()
		if err != nil {
			return none, err
		}
		for _, check := range checks {
			if err := check(c, m); err != nil {
				return none, err
			}
		}
		return handle(c, m)
	}
}

// MayWriteModel refuses users who may write no entry of a model.
func MayWriteModel(c *Call, m *site.Model) error {
	return cms.PermissionsOf(c.R.Context()).Check(cms.ActionWrite, m.Slug, "", "model")
}
