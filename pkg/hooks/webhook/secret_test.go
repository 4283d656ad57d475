package webhook

import (
	"encoding/base64"
	"strings"
	"testing"
)

// TestValidateSecret: Standard Webhooks asks for 24 bytes or more behind whsec_; other secrets are
// text of 24 characters or more.
func TestValidateSecret(t *testing.T) {
	encoded := func(n int) string {
		return secretPrefix + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", n)))
	}
	for name, test := range map[string]struct {
		secret string
		ok     bool
	}{
		"a new one":           {NewSecret(), true},
		"24 bytes":            {encoded(24), true},
		"23 bytes":            {encoded(23), false},
		"15 bytes":            {encoded(15), false},
		"a line break inside": {encoded(24)[:20] + "\n" + encoded(24)[20:], false},
		"a line break behind": {encoded(24) + "\r\n", false},
		"no base64":           {secretPrefix + "this is not base64 at all", false},
		"text":                {"twenty-four characters!!", true},
		"short text":          {"twenty-three characters", false},
	} {
		if err := ValidateSecret(test.secret); (err == nil) != test.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
