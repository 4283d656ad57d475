package forms

import (
	"headless/pkg/cms"
	"headless/pkg/input"
)

// StageForm applies the body of a create or an update to a form and adds its problems to p. The
// caller stores the result.
func (s *Store) StageForm(p cms.Problems, form *cms.Form, body map[string]any) error {
	var in formInput
	input.Decode(body, &in, p)
	in.apply(form)
	checkForm(p, form)
	return in.sealSecret(s.DB, form)
}
