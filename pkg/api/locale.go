package api

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"headless/pkg/site"
)

// maxAcceptLanguage limits the part of the header that is read, in bytes.
const maxAcceptLanguage = 1000

// resolveLocale chooses the locale of an answer (specification §4.1): the parameter, else the
// Accept-Language header, else the default. The result is always an active locale.
func resolveLocale(site *site.Site, param, accept string) string {
	active := site.ActiveCodes()
	return cmp.Or(findCode(active, param), acceptedLanguage(active, site.Default, accept), site.Default)
}

// acceptedLanguage looks up the languages of the header in the order of their q-values (RFC 4647 §3.4):
// "de-AT" finds de-AT, or else de. If none is found, a language matches its first regional form:
// "de" finds de-CH (basic filtering, §3.3.1).
func acceptedLanguage(active []string, fallback, header string) string {
	if len(header) > maxAcceptLanguage {
		header = header[:strings.LastIndexByte(header[:maxAcceptLanguage], ',')+1]
	}
	var ranges []string
	for _, part := range strings.Split(header, ",") {
		// A malformed language does not affect the others.
		if tag, _, _ := strings.Cut(part, ";"); strings.TrimSpace(tag) != "*" {
			if _, err := language.Raw.Parse(strings.TrimSpace(tag)); err != nil {
				continue
			}
		}
		ranges = append(ranges, part)
	}
	tags, _, err := language.ParseAcceptLanguage(strings.Join(ranges, ","))
	if err != nil {
		return ""
	}
	for _, tag := range tags {
		if tag == language.Und || tag.String() == "mul" {
			return findCode(active, fallback) // "*"
		}
		for name := tag.String(); name != ""; name = shorter(name) {
			if code := findCode(active, name); code != "" {
				return code
			}
		}
	}
	for _, tag := range tags {
		for _, code := range active {
			if strings.HasPrefix(strings.ToLower(code), strings.ToLower(tag.String())+"-") {
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
