package delivery

import (
	"net/http"
	"os"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"

	"headless/pkg/must"
)

// TestDistribution looks at how the distribution of the template handles answers that are no
// success: it passes every method on, and keeps no error longer than the answer allows.
func TestDistribution(t *testing.T) {
	raw, err := os.ReadFile("../../template.yaml")
	must.Do(t, err)
	var template struct {
		Resources map[string]struct {
			Properties struct {
				DistributionConfig struct {
					DefaultCacheBehavior yaml.Node   `yaml:"DefaultCacheBehavior"` // first where one domain serves all
					CacheBehaviors       []yaml.Node `yaml:"CacheBehaviors"`       // others are conditional
					CustomErrorResponses []struct {
						ErrorCode          int  `yaml:"ErrorCode"`
						ErrorCachingMinTTL *int `yaml:"ErrorCachingMinTTL"`
					} `yaml:"CustomErrorResponses"`
				} `yaml:"DistributionConfig"`
			} `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	must.Do(t, yaml.Unmarshal(raw, &template))
	config := template.Resources["DeliveryDistribution"].Properties.DistributionConfig
	var behavior, everything struct {
		PathPattern    string    `yaml:"PathPattern"`
		AllowedMethods []string  `yaml:"AllowedMethods"`
		CachePolicyID  yaml.Node `yaml:"CachePolicyId"` // may be a condition
	}
	if len(config.CacheBehaviors) == 0 || config.CacheBehaviors[0].Decode(&behavior) != nil ||
		behavior.PathPattern != "/delivery/*" {
		t.Fatalf("behaviors %v", config.CacheBehaviors)
	}
	const cachingDisabled = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad" // by AWS's documentation
	if either := config.DefaultCacheBehavior.Content; len(either) != 3 ||
		either[1].Decode(&everything) != nil || everything.CachePolicyID.Value != cachingDisabled {
		t.Errorf("answers of the API and the admin area are kept: %+v", everything)
	}
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
		if !slices.Contains(behavior.AllowedMethods, method) ||
			!slices.Contains(everything.AllowedMethods, method) {
			t.Errorf("CloudFront refuses %s itself, without the envelope", method)
		}
	}
	// Those that CloudFront keeps for ten seconds where nothing is said.
	for _, status := range []int{400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504} {
		kept := 10
		for _, r := range config.CustomErrorResponses {
			if r.ErrorCode == status && r.ErrorCachingMinTTL != nil {
				kept = *r.ErrorCachingMinTTL
			}
		}
		if kept != 0 {
			t.Errorf("CloudFront keeps a %d for %d s", status, kept)
		}
	}
}
