package inspect

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// cssRules are compiled when the first drawing comes, not when the program starts.
var cssRules = sync.OnceValue(func() (rules struct {
	comment, importRule, url, escape, behavior,
	embedded *regexp.Regexp
}) {
	rules.comment = regexp.MustCompile(`(?s)/\*.*?(?:\*/|$)`)
	rules.importRule = regexp.MustCompile(`(?i)@import[^;{}]*(?:;|$)`)
	rules.url = regexp.MustCompile(`^(?i:url)\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]*))\s*\)`)
	rules.escape = regexp.MustCompile(`\\(?:([0-9A-Fa-f]{1,6})[ \t\r\n\f]?|(.))`)
	rules.behavior = regexp.MustCompile(`behavior\s*:`)
	// What url() may name without loading anything: a part of the drawing, an embedded raster image
	// or font.
	rules.embedded = regexp.MustCompile(`^(?i:#.*|data:(?:image/(?:png|jpe?g|gif|webp|avif)|(?:application/)?(?:x-)?font[a-z0-9/+-]*)(?:;charset=[a-z0-9-]+)?;base64,[a-z0-9+/=]*)$`)
	return rules
})

// cleanCSS takes imports and references to elsewhere out of a style. A style that hides more than
// that, by escapes or constructs that are not known, is dropped whole.
func cleanCSS(css string) string {
	rules := cssRules()
	css = rules.importRule.ReplaceAllString(rules.comment.ReplaceAllString(css, " "), "")
	var out strings.Builder
	ok := eachURL(css, func(before, reference, target string) bool {
		out.WriteString(before)
		if rules.embedded.MatchString(target) {
			out.WriteString(reference)
		} else if reference != "" {
			out.WriteString("none")
		}
		return true
	})
	if !ok || !isHarmlessCSS(out.String()) {
		return ""
	}
	return out.String()
}

// isHarmlessCSS reports whether a style, or the value of a presentation attribute, loads nothing,
// read as a browser reads it: escapes resolved, comments out.
func isHarmlessCSS(css string) bool {
	if !strings.ContainsAny(css, `(@\:`) { // as almost every attribute, among them paths of any length
		return true
	}
	rules, plain := cssRules(), css
	if strings.Contains(css, `\`) {
		plain = rules.escape.ReplaceAllStringFunc(css, unescapeCSS)
	}
	variants := []string{plain}
	if strings.Contains(plain, "/*") {
		variants = append(variants, rules.comment.ReplaceAllString(plain, ""))
	}
	for _, variant := range variants {
		if isActive(variant) || loads(variant) {
			return false
		}
		ok := eachURL(variant, func(_, reference, target string) bool {
			return reference == "" ||
				rules.embedded.MatchString(target)
		})
		if !ok {
			return false
		}
	}
	return true
}

// loads finds what reaches for other documents without url().
func loads(css string) bool {
	css = lowerASCII(css)
	for _, word := range []string{"@import", "expression(", "-moz-binding", "image-set("} {
		if strings.Contains(css, word) {
			return true
		}
	}
	for _, function := range []string{"image(", "src("} {
		for rest := css; ; {
			before, after, found := strings.Cut(rest, function)
			if !found {
				break
			}
			if before == "" || !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz-",
				rune(before[len(before)-1])) {
				return true
			}
			rest = after
		}
	}
	return cssRules().behavior.MatchString(css)
}

// eachURL calls visit with each url() of a style, the text before it and what it names, and in the
// end with the rest of the text alone. False where visit says so or a url() is not closed as it
// should be.
func eachURL(css string, visit func(before, reference, target string) bool) bool {
	lower := lowerASCII(css)
	for {
		i := strings.Index(lower, "url(")
		if i < 0 {
			return visit(css, "", "")
		}
		match := cssRules().url.FindStringSubmatch(css[i:])
		if match == nil || !visit(css[:i], match[0], strings.TrimSpace(match[1]+match[2]+match[3])) {
			return false
		}
		css, lower = css[i+len(match[0]):], lower[i+len(match[0]):]
	}
}

// lowerASCII leaves other letters alone, as CSS does, and so keeps every byte in its place.
func lowerASCII(s string) string {
	lower := []byte(s)
	for i, c := range lower {
		if c >= 'A' && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return string(lower)
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
