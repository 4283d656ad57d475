package pkg_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"headless/pkg/must"
)

// secretForm is what credentials of a kind look like. Each of them holds one of the marks, which
// are found faster than the whole form.
type secretForm struct {
	marks []string
	form  *regexp.Regexp
}

// secretForms are those of well-known services, of this one, and private keys.
var secretForms = map[string]secretForm{
	"a private key": {[]string{"PRIVATE KEY-----"},
		regexp.MustCompile(`-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*[A-Za-z0-9+/]{40}`)},
	"an AWS access key": {[]string{"AKIA", "ASIA"}, regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z2-7]{16}\b`)},
	"a GitHub token": {[]string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"},
		regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{60})`)},
	"a Slack token or hook": {[]string{"xox", "hooks.slack.com"},
		regexp.MustCompile(
			`\bxox[abprs]-[0-9A-Za-z-]{20}|hooks\.slack\.com/services/T[A-Z0-9]{8,}/B[A-Z0-9]{8,}/[A-Za-z0-9]{20}`)},
	"a Stripe key":           {[]string{"k_live_"}, regexp.MustCompile(`\b[rs]k_live_[A-Za-z0-9]{20}`)},
	"a Google API key":       {[]string{"AIza"}, regexp.MustCompile(`\bAIza[0-9A-Za-z_-]{35}\b`)},
	"a key of this service":  {[]string{"sk_"}, regexp.MustCompile(`\bsk_[A-Za-z0-9_-]{43}\b`)},
	"a token of a user here": {[]string{"pat_"}, regexp.MustCompile(`\bpat_[A-Za-z0-9_-]{43}\b`)},
}

// find returns all that looks like a credential in a text.
func (s secretForm) find(text string) []string {
	for _, mark := range s.marks {
		if strings.Contains(text, mark) {
			return s.form.FindAllString(text, -1)
		}
	}
	return nil
}

// exampleSecrets are documented examples of others.
var exampleSecrets = []string{"AKIAIOSFODNN7EXAMPLE"}

// TestNoSecretIsCommitted looks for credentials in all files under version control.
func TestNoSecretIsCommitted(t *testing.T) {
	out, err := exec.Command("git", "ls-files", "-z", "--", "..").Output()
	if err != nil {
		t.Skip("this is no checkout: ", err)
	}
	files := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if len(files) < 500 {
		t.Fatalf("only %d files", len(files))
	}
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() ||
			info.Size() > 4<<20 || filepath.Base(file) == "secrets_test.go" {
			continue // deleted, a link, or too large for text
		}
		text, err := os.ReadFile(file)
		must.Do(t, err)
		for what, form := range secretForms {
			for _, found := range form.find(string(text)) {
				if !isExample(found) {
					t.Errorf("%s looks like it holds %s: %.12s…", file, what, found)
				}
			}
		}
	}
}

func isExample(found string) bool { return slices.Contains(exampleSecrets, found) }

// TestSecretForms keeps the scan able to find something.
func TestSecretForms(t *testing.T) {
	for what, text := range map[string]string{
		"an AWS access key":     "AKIA" + strings.Repeat("Q", 16),
		"a GitHub token":        "ghp_" + strings.Repeat("a1", 18),
		"a private key":         "-----BEGIN RSA PRIVATE" + " KEY-----\n" + strings.Repeat("Ab1+", 12),
		"a key of this service": "sk_" + strings.Repeat("x", 43),
	} {
		if len(secretForms[what].find(text)) == 0 {
			t.Errorf("%s is not found", what)
		}
	}
}
