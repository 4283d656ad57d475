package pkg_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// secretForms are what credentials of well-known services, and private keys, look like.
var secretForms = map[string]*regexp.Regexp{
	"a private key":          regexp.MustCompile(`-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*[A-Za-z0-9+/]{40}`),
	"an AWS access key":      regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z2-7]{16}\b`),
	"a GitHub token":         regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{60})`),
	"a Slack token or hook":  regexp.MustCompile(`\bxox[abprs]-[0-9A-Za-z-]{20}|hooks\.slack\.com/services/T[A-Z0-9]{8,}/B[A-Z0-9]{8,}/[A-Za-z0-9]{20}`),
	"a Stripe key":           regexp.MustCompile(`\b[rs]k_live_[A-Za-z0-9]{20}`),
	"a Google API key":       regexp.MustCompile(`\bAIza[0-9A-Za-z_-]{35}\b`),
	"a key of this service":  regexp.MustCompile(`\bsk_[A-Za-z0-9_-]{43}\b`),
	"a token of a user here": regexp.MustCompile(`\bpat_[A-Za-z0-9_-]{43}\b`),
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
		if err != nil {
			t.Fatal(err)
		}
		for what, form := range secretForms {
			for _, found := range form.FindAllString(string(text), -1) {
				if !isExample(found) {
					t.Errorf("%s looks like it holds %s: %.12s…", file, what, found)
				}
			}
		}
	}
}

func isExample(found string) bool {
	for _, example := range exampleSecrets {
		if found == example {
			return true
		}
	}
	return false
}

// TestSecretForms keeps the scan able to find something.
func TestSecretForms(t *testing.T) {
	for what, text := range map[string]string{
		"an AWS access key":     "AKIA" + strings.Repeat("Q", 16),
		"a GitHub token":        "ghp_" + strings.Repeat("a1", 18),
		"a private key":         "-----BEGIN RSA PRIVATE" + " KEY-----\n" + strings.Repeat("Ab1+", 12),
		"a key of this service": "sk_" + strings.Repeat("x", 43),
	} {
		if !secretForms[what].MatchString(text) {
			t.Errorf("%s is not found", what)
		}
	}
}
