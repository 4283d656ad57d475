package forms

import "headless/pkg/cms"

// StageForm applies the body of a create or an update to a form and adds its problems to p. The
// caller stores the result.
func (s *Store) StageForm(p cms.Problems, form *cms.Form, body map[string]any) error {
	in, problems := decodeForm(body)
	p.Merge(problems)
	in.applyTo(form)
	checkForm(p, form)
	return in.sealSecret(s.DB, form)
}
