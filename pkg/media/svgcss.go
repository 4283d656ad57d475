package media

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// cssRules are compiled when the first drawing comes, not when the program starts.
var cssRules = sync.OnceValue(func() (rules struct{ comment, importRule, url, urlOpen, escape, loads, embedded *regexp.Regexp }) {
	rules.comment = regexp.MustCompile(`(?s)/\*.*?(?:\*/|$)`)
	rules.importRule = regexp.MustCompile(`(?i)@import[^;{}]*(?:;|$)`)
	rules.url = regexp.MustCompile(`(?i)url\(\s*("[^"]*"|'[^']*'|[^"'()\s]*)\s*\)`)
	rules.urlOpen = regexp.MustCompile(`(?i)url\(`)
	rules.escape = regexp.MustCompile(`\\(?:([0-9A-Fa-f]{1,6})[ \t\r\n\f]?|(.))`)
	rules.loads = regexp.MustCompile(`(?i)@import|expression\(|-moz-binding|behavior\s*:|image-set\(|(?:^|[^a-z-])(?:image|src)\(`)
	// What url() may name without loading anything: a part of the drawing, an embedded raster image or font.
	rules.embedded = regexp.MustCompile(`^(?i:#.*|data:(?:image/(?:png|jpe?g|gif|webp|avif)|(?:application/)?(?:x-)?font[a-z0-9/+-]*)(?:;charset=[a-z0-9-]+)?;base64,[a-z0-9+/=]*)$`)
	return rules
})

// cleanCSS takes imports and references to elsewhere out of a style. A style that hides more than that, by escapes or constructs that are not known, is dropped whole.
func cleanCSS(css string) string {
	rules := cssRules()
	css = rules.importRule.ReplaceAllString(rules.comment.ReplaceAllString(css, " "), "")
	css = rules.url.ReplaceAllStringFunc(css, func(reference string) string {
		if rules.embedded.MatchString(urlTarget(reference)) {
			return reference
		}
		return "none"
	})
	if !isHarmlessCSS(css) {
		return ""
	}
	return css
}

// isHarmlessCSS tells whether a style, or the value of a presentation attribute, loads nothing, read as a browser reads it: escapes resolved, comments out.
func isHarmlessCSS(css string) bool {
	if !strings.ContainsAny(css, `(@\:`) { // as almost every attribute, among them paths of any length
		return true
	}
	rules, plain := cssRules(), css
	if strings.Contains(css, `\`) {
		plain = rules.escape.ReplaceAllStringFunc(css, unescapeCSS)
	}
	for _, variant := range []string{plain, rules.comment.ReplaceAllString(plain, "")} {
		if isActive(variant) || rules.loads.MatchString(variant) {
			return false
		}
		references := rules.url.FindAllString(variant, -1)
		if len(references) != len(rules.urlOpen.FindAllString(variant, -1)) {
			return false
		}
		for _, reference := range references {
			if !rules.embedded.MatchString(urlTarget(reference)) {
				return false
			}
		}
	}
	return true
}

// urlTarget is what stands between the brackets of url(), without its quotes.
func urlTarget(reference string) string {
	target := strings.TrimSpace(reference[len("url(") : len(reference)-1])
	return strings.TrimSpace(strings.Trim(target, `"'`))
}

func unescapeCSS(escape string) string {
	code, err := strconv.ParseUint(strings.TrimSpace(escape[1:]), 16, 32)
	if err != nil || len(strings.TrimSpace(escape[1:])) > 6 {
		return escape[1:]
	}
	if code == 0 || !utf8.ValidRune(rune(code)) {
		return "\uFFFD"
	}
	return string(rune(code))
}
