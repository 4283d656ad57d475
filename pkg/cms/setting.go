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
	Translations   map[string]string `json:"translations"` // by locale code
}

// secretWords are words in the keys of settings that hold credentials.
var secretWords = []string{"secret", "password", "token", "api_key", "private_key"}

// IsSecret reports whether a setting holds a credential: it is private and its key has one of the
// secretWords. Credentials are stored sealed, and pages do not show them.
func (v Setting) IsSecret() bool {
	return !v.IsPublic &&
		slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(v.Key, word) })
}

// EachSecret returns a copy of a list with change applied to the values of secret settings. Empty
// values are left alone.
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
