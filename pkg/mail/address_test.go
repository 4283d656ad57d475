package mail_test

import (
	"strings"
	"testing"

	"headless/pkg/mail"
)

func TestASCIIAddress(t *testing.T) {
	for in, want := range map[string]string{ // "": refused
		"a@example.com":                    "a@example.com",
		"First.Last+tag@Sub.Example.COM":   "First.Last+tag@sub.example.com",
		"o'brien!#$%&*=?^_`{|}~-/@e.co":    "o'brien!#$%&*=?^_`{|}~-/@e.co",
		"a@bücher.example":                 "a@xn--bcher-kva.example",
		"a@例え.テスト":                         "a@xn--r8jz45g.xn--zckzah",
		"a@xn--bcher-kva.example":          "a@xn--bcher-kva.example",
		"a@1and1.de":                       "a@1and1.de",
		strings.Repeat("a", 64) + "@e.com": strings.Repeat("a", 64) + "@e.com",

		"":                                      "",
		"a":                                     "",
		"@example.com":                          "",
		"a@":                                    "",
		"a@localhost":                           "",
		"a@example.com.":                        "",
		"a@.example.com":                        "",
		"a@example..com":                        "",
		"a@-example.com":                        "",
		"a@ex_ample.com":                        "",
		"a@127.0.0.1":                           "",
		"a@[127.0.0.1]":                         "",
		"a@example.c0m\x00":                     "",
		"a..b@example.com":                      "",
		".a@example.com":                        "",
		"a.@example.com":                        "",
		"a@b@example.com":                       "",
		"a b@example.com":                       "",
		" a@example.com":                        "",
		"a@example.com ":                        "",
		"a@example.com\r\nBcc: x@y.de":          "",
		"a\r\n@example.com":                     "",
		"\"a b\"@example.com":                   "",
		"Eve <a@example.com>":                   "",
		"<a@example.com>":                       "",
		"a@example.com,b@example.com":           "",
		"grüße@example.com":                     "",
		"a@exam\u202eple.com":                   "",
		"a@example.com(comment)":                "",
		strings.Repeat("a", 65) + "@e.co":       "",
		"a@" + strings.Repeat("a", 64) + ".com": "",
		"a@" + strings.Repeat("abcdefg.", 40) + "com": "",
	} {
		got, ok := mail.ASCIIAddress(in)
		if got != want || ok != (want != "") || mail.ValidAddress(in) != ok {
			t.Errorf("%q: %q %t, want %q", in, got, ok, want)
		}
	}
}
