package apikeys

import (
	"testing"

	"headless/pkg/cms"
	"headless/pkg/input"
)

// TestNullOrigins: null clears the list of origins, which stays a list in answers.
func TestNullOrigins(t *testing.T) {
	key := cms.Key{Name: "x", Origins: []string{"https://a.example"}, RateLimit: 1, Kind: cms.KeySecret}
	in, problems := input.Decode[keyInput](map[string]any{"origins": nil})
	in.applyTo(&key, problems)
	if len(problems) > 0 || key.Origins == nil || len(key.Origins) > 0 {
		t.Errorf("%v %#v", problems, key.Origins)
	}
}
