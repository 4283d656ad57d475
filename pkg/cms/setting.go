package cms

import (
	"maps"
	"slices"
	"strings"
)

// Setting is one value of the site's configuration (specification §2.4, decisions §9).
type Setting struct {
	Group          string            `json:"group"`
	Key            string            `json:"key"`
	Value          string            `json:"value"`
	IsPublic       bool              `json:"is_public"`
	IsTranslatable bool              `json:"is_translatable"`
	Translations   map[string]string `json:"translations"` // locale code to value
}

// secretWords are in the keys of settings that hold credentials.
var secretWords = []string{"secret", "password", "token", "api_key", "private_key"}

// IsSecret reports whether a setting holds a credential, which is stored sealed and which pages do
// not show: it is private, and its key says so.
func (v Setting) IsSecret() bool {
	return !v.IsPublic &&
		slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(v.Key, word) })
}

// EachSecret changes the values of the secret settings of a list, in a copy. Empty ones stay.
func EachSecret(list []Setting, change func(string) (string, error)) ([]Setting, error) {
	list = slices.Clone(list)
	var err error
	put := func(text string) string {
		if text != "" && err == nil {
			text, err = change(text)
		}
		return text
	}
	for i := range list {
		if v := &list[i]; v.IsSecret() {
			v.Value, v.Translations = put(v.Value), maps.Clone(v.Translations)
			for locale, text := range v.Translations {
				v.Translations[locale] = put(text)
			}
		}
	}
	return list, err
}
