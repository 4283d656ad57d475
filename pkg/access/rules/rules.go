// Package rules checks the rules of roles (extensions §11).
package rules

import (
	"slices"
	"strconv"

	"headless/pkg/cms"
	"headless/pkg/site"
)

// maxRules is how many rules a role may have.
const maxRules = 100

// Input is a rule in a request body.
type Input struct {
	Models  []string `json:"models"`
	Locales []string `json:"locales"`
	Actions []string `json:"actions"`
}

// Check converts inputs to rules and reports their problems. Models and locales that the previous
// rules named are accepted even if they no longer exist.
func Check(p cms.Problems, s *site.Site, in []Input, was []cms.Rule) []cms.Rule {
	if len(in) > maxRules {
		p.Add("rules", "must hold at most %d rules", maxRules)
		return was
	}
	list := []cms.Rule{}
	for i, rule := range in {
		var before cms.Rule
		if i < len(was) {
			before = was[i]
		}
		list = append(list, rule.checkRule("rules."+strconv.Itoa(i), s, before, p))
	}
	return list
}

func (in Input) checkRule(at string, s *site.Site, was cms.Rule, p cms.Problems) cms.Rule {
	rule := cms.Rule{Actions: []cms.Action{}}
	rule.Models = s.CheckModels(p, at+".models", in.Models, was.Models)
	rule.Locales = s.CheckLocales(p, at+".locales", in.Locales, was.Locales)
	for i, name := range in.Actions {
		if !slices.Contains(cms.Actions(), cms.Action(name)) {
			p.Add(at+".actions."+strconv.Itoa(i), "must be read, write, publish, delete, approve or skip_review")
		}
	}
	for _, action := range cms.Actions() { // in the order of the documentation, without duplicates
		if slices.Contains(in.Actions, string(action)) {
			rule.Actions = append(rule.Actions, action)
		}
	}
	return rule
}
