package api

import (
	"cmp"
	"slices"
	"strings"

	"headless/pkg/site"
	"headless/pkg/web"
)

// resolveLocale chooses the locale of an answer (specification §4.1): the parameter, else the
// Accept-Language header, else the default. The result is always an active locale.
func resolveLocale(site *site.Site, param, accept string) string {
	active := site.ActiveCodes()
	return cmp.Or(findCode(active, param), acceptedLanguage(active, accept), site.Default)
}

// acceptedLanguage looks up the languages of the header in the order of their q-values (RFC 4647 §3.4):
// "de-AT" finds de-AT, or else de. If none is found, a language matches its first regional form:
// "de" finds de-CH (basic filtering, §3.3.1).
func acceptedLanguage(active []string, header string) string {
	languages := web.Languages(header)
	for _, name := range languages {
		for ; name != ""; name = shorter(name) {
			if code := findCode(active, name); code != "" {
				return code
			}
		}
	}
	for _, name := range languages {
		for _, code := range active {
			if strings.HasPrefix(strings.ToLower(code), strings.ToLower(name)+"-") {
				return code
			}
		}
	}
	return ""
}

// shorter removes the last subtag of a language range, and then a single letter at the end.
func shorter(name string) string {
	cut := strings.LastIndexByte(name, '-')
	if cut < 0 {
		return ""
	}
	name = name[:cut]
	if n := len(name); n > 2 && name[n-2] == '-' {
		name = name[:n-2]
	}
	return name
}

// findCode finds a code, ignoring case. It returns "" if there is none.
func findCode(codes []string, name string) string {
	if i := slices.IndexFunc(codes, func(code string) bool { return strings.EqualFold(code, name) }); i >= 0 {
		return codes[i]
	}
	return ""
}
