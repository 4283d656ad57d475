package db

import "headless/pkg/cms"

// Need is a permission that the commit of a transaction requires.
type Need struct {
	Action        cms.Action
	Model, Locale string
}

func (t *Tx) checkPermitted(p *cms.Permissions) error {
	for _, n := range t.Needs {
		if err := p.Check(n.Action, n.Model, n.Locale, "entry"); err != nil {
			return err
		}
	}
	return nil
}
