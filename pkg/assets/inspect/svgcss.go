package inspect

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// cssRules are compiled for the first drawing, not when the program starts.
var cssRules = sync.OnceValue(func() (rules struct {
	comment, importRule, url, escape, behavior,
	embedded *regexp.Regexp
}) {
	rules.comment = regexp.MustCompile(`(?s)/\*.*?(?:\*/|$)`)
	rules.importRule = regexp.MustCompile(`(?i)@import[^;{}]*(?:;|$)`)
	rules.url = regexp.MustCompile(`^(?i:url)\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]*))\s*\)`)
	rules.escape = regexp.MustCompile(`\\(?:([0-9A-Fa-f]{1,6})[ \t\r\n\f]?|(.))`)
	rules.behavior = regexp.MustCompile(`behavior\s*:`)
	// The targets of url() that load nothing: a part of the drawing, an embedded raster image or
	// font.
	rules.embedded = regexp.MustCompile(
		`^(?i:#.*|data:(?:image/(?:png|jpe?g|gif|webp|avif)|(?:application/)?(?:x-)?font[a-z0-9/+-]*)(?:;charset=[a-z0-9-]+)?;base64,[a-z0-9+/=]*)$`)
	return rules
})

// cleanCSS removes imports and external references from a style. If the style may still load
// something, by escapes or unknown constructs, it drops the whole style.
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

// isHarmlessCSS reports whether a style, or the value of a presentation attribute, loads nothing.
// It reads the text as a browser does: with escapes resolved and comments removed.
func isHarmlessCSS(css string) bool {
	if !strings.ContainsAny(css, `(@\:`) { // true for almost every attribute, including long paths
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
			return reference == "" || rules.embedded.MatchString(target)
		})
		if !ok {
			return false
		}
	}
	return true
}

// loads reports whether a style refers to other documents without url().
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
			if before == "" || !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz-", rune(before[len(before)-1])) {
				return true
			}
			rest = after
		}
	}
	return cssRules().behavior.MatchString(css)
}

// eachURL calls visit for each url() of a style, with the text before it and its target, and at the
// end with the remaining text alone. It returns false if visit does, or if a url() is not closed.
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

// lowerASCII changes only ASCII letters, as CSS does, and so keeps all byte offsets.
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
