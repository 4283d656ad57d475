package site

import (
	"slices"
	"strconv"

	"headless/pkg/cms"
)

// maxReach is how many models, or locales, a key or a rule may name.
const maxReach = 500

// CheckModels reports the names in a list that are neither a model nor an area such as
// cms.AreaMedia. Names in was are accepted. It returns the list without duplicates.
func (s *Site) CheckModels(p cms.Problems, path string, names, was []string) []string {
	return checkNames(p, path, names, was, func(name string) bool {
		return s.Models[name] != nil || slices.Contains(cms.Areas(), name)
	})
}

// CheckLocales does the same as CheckModels for the codes of locales.
func (s *Site) CheckLocales(p cms.Problems, path string, names, was []string) []string {
	return checkNames(p, path, names, was, func(name string) bool { return s.Locale(name) != nil })
}

// checkNames reports the names in a list that are neither known nor in was. It returns the list
// without duplicates.
func checkNames(p cms.Problems, path string, names, was []string, known func(string) bool) []string {
	if len(names) > maxReach {
		p.Add(path, "must hold at most %d names", maxReach)
		return names
	}
	unique := []string{}
	for i, name := range names {
		if !known(name) && !slices.Contains(was, name) {
			p.Add(path+"."+strconv.Itoa(i), "does not exist")
		}
		if !slices.Contains(unique, name) {
			unique = append(unique, name)
		}
	}
	return unique
}
