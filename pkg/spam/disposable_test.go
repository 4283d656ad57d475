package spam_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"headless/pkg/mail"
	"headless/pkg/must"
	"headless/pkg/spam"
)

func TestDisposable(t *testing.T) {
	for address, want := range map[string]bool{
		"a@mailinator.com":          true,
		"A@MAILINATOR.COM":          true,
		"a@mailinator.com.":         true,
		"a@box.mailinator.com":      true,
		"a@x.y.z.yopmail.com":       true,
		"a@guerrillamail.com":       true,
		"a@surelynotmailinator.com": false,
		"a@mailinator.com.example":  false,
		"a@gmail.com":               false,
		"a@outlook.com":             false,
		"a@web.de":                  false,
		"a@icloud.com":              false,
		"a@example.com":             false,
		"a@com":                     false,
		"a@":                        false,
		"mailinator.com":            false,
		"":                          false,
		"a@~~~.zz":                  false,
		"a@0.0":                     false,
	} {
		if got := spam.Disposable(address); got != want {
			t.Errorf("%q: %t", address, got)
		}
	}
}

func TestDisposableList(t *testing.T) {
	text, err := os.ReadFile("disposable/domains.txt")
	must.Do(t, err)
	domains := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(domains) < 5000 || !slices.IsSorted(domains) {
		t.Fatalf("%d domains, sorted %t", len(domains), slices.IsSorted(domains))
	}
	for _, d := range domains {
		if ascii, ok := mail.ASCIIDomain(d); !ok || ascii != d {
			t.Errorf("%q is not a domain name in ASCII form", d)
		}
		if !spam.Disposable("a@" + d) {
			t.Errorf("%q is not found", d)
		}
	}
}
