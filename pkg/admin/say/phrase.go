package say

import (
	"strconv"

	"headless/pkg/cms"
	"headless/pkg/slice"
)

// ForVisitor returns the language that accept, a locale or an Accept-Language header, prefers, for the mails and pages
// of another package: its code, its direction, ltr or rtl, and what says phrases in it.
func ForVisitor(accept string) (code, dir string, phrase func(cms.Phrase) string) {
	l := Accepted(accept)
	return l.Code, l.Dir, l.phrase
}

func (l *Language) phrase(p cms.Phrase) string {
	args := slice.Map(p.Args, func(arg string) any { return arg })
	if last := len(args) - 1; p.IsTimed {
		if day, isDate := cms.ParseDate(p.Args[last]); isDate {
			args[last] = Date(day)
		} else {
			args[last] = l.Day(p.Args[last])
		}
	}
	if p.One != "" {
		n, _ := strconv.Atoi(p.Args[0]) // as cms.Counted wrote it
		return l.Say(N(n, Text(p.One), Text(p.Text), args[1:]...))
	}
	if len(args) == 0 {
		return l.translateKnown(p.Text)
	}
	return l.Say(F(Text(p.Text), args...))
}
