package say

import (
	"encoding/json"
	"regexp"
	"strconv"
	"sync"
)

// In scripts, t("text") marks a message, t("text {1}", value) one with placeholders, and
// tn(number, "one", "other") one that counts. Texts stand in double quotes.
var (
	marked = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\bt\(("(?:[^"\\]|\\.)*")(\)|, )`)
	})
	counted = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\btn\(((?:[^(),"]|\([^()"]*\))+), ("(?:[^"\\]|\\.)*"), ("(?:[^"\\]|\\.)*")`)
	})
)

// Script translates the messages of a script. Those without placeholders become texts without a call,
// in English too.
func (l *Language) Script(script []byte) []byte {
	script = marked().ReplaceAllFunc(script, func(call []byte) []byte {
		m := marked().FindSubmatch(call)
		text := m[1]
		if said := l.translationOf(unquoteJSON(text)); said != "" {
			text = quoteJSON(said)
		}
		if string(m[2]) == ")" {
			return text
		}
		return []byte("t(" + string(text) + ", ")
	})
	return counted().ReplaceAllFunc(script, func(call []byte) []byte {
		m := counted().FindSubmatch(call)
		forms := l.Entries()[unquoteJSON(m[3])].Forms
		if forms == nil {
			return call
		}
		return []byte("tn(" + string(m[1]) + ", " + string(quoteJSON(forms)) + `, ""`)
	})
}

func unquoteJSON(literal []byte) string {
	s, err := strconv.Unquote(string(literal))
	if err != nil {
		return string(literal)
	}
	return s
}

func quoteJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts are valid JSON
	}
	return b
}
