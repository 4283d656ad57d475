package healthpages

import (
	"testing"

	"headless/pkg/admin/say"
	"headless/pkg/health"
)

// TestDetailsAreSaid: what is wrong with a text is said in the language of the page, and names stay as they are.
func TestDetailsAreSaid(t *testing.T) {
	for want, f := range map[string]health.Finding{
		"länger als 60, anderswo gleich": {Kind: health.SEOTitle, Detail: "longer than 60, the same elsewhere"},
		"fehlt":                          {Kind: health.SEODescription, Detail: "missing"},
		"missing":                        {Kind: health.AltMissing, Detail: "missing"},
	} {
		if got := say.Of("de").Say(detailOf(f)); got != want {
			t.Errorf("%s: %q, want %q", f.Kind, got, want)
		}
	}
}
