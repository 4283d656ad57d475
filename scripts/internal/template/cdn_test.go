package template

import (
	"reflect"
	"strings"
	"testing"

	"headless/pkg/must"
)

// TestDistributions looks at the variables of the functions about the CDN: without one, with the
// names that CloudFront gives, and with a domain that delivery and media share.
func TestDistributions(t *testing.T) {
	parsed := service(t)
	for _, test := range []struct {
		name                     string
		parameters               map[string]string
		media, delivery, address string // ids of distributions, and where files are
	}{
		{"none", map[string]string{"MediaCdn": "false"}, "", "",
			"https://MediaBucket.RegionalDomainName/media"},
		{"none, whatever the domain", map[string]string{"MediaCdn": "false",
			"DeliveryDomainName": "cdn.example.com"}, "", "", "https://MediaBucket.RegionalDomainName/media"},
		{"two", nil, "MediaDistribution", "DeliveryDistribution",
			"https://MediaDistribution.DomainName/media"},
		{"one", map[string]string{"DeliveryDomainName": "cdn.example.com",
			"KeepMediaDistribution": "false"}, "DeliveryDistribution",
			"DeliveryDistribution", "https://cdn.example.com/media"},
		{"one, and the former", map[string]string{"DeliveryDomainName": "cdn.example.com"},
			"DeliveryDistribution", "DeliveryDistribution", "https://cdn.example.com/media"},
	} {
		t.Run(test.name, func(t *testing.T) {
			told := 0
			for _, f := range deployed(t, parsed, test.parameters) {
				if id, ok := f.Environment["DISTRIBUTION_ID"]; ok {
					told++
					if media := f.Environment["MEDIA_DISTRIBUTION_ID"]; id != test.delivery ||
						media != test.media {
						t.Errorf("%s purges %q and %q, want %q and %q", f.ID, id, media,
							test.delivery, test.media)
					}
				}
				if got := f.Environment["MEDIA_BASE_URL"]; f.ID != "ImageFunction" && got != test.address {
					t.Errorf("%s serves files at %s, want %s", f.ID, got, test.address)
				}
			}
			if told < 2 {
				t.Errorf("%d functions purge", told)
			}
		})
	}
}

// TestOwnNames looks at the variables of the functions about the names of the service: which ones
// no webhook may call, its address, and the secret of CloudFront where that stands before
// everything.
func TestOwnNames(t *testing.T) {
	const (
		api      = "HttpApi.execute-api.r.s,"
		delivery = "DeliveryDistribution.DomainName"
		media    = "MediaDistribution.DomainName"
		origin   = "{{resolve:ssm:/headless/n/origin-verify:"
	)
	parsed := service(t)
	for _, test := range []struct {
		name                        string
		parameters                  map[string]string
		admin, worker, site, secret string
	}{
		{"nothing", map[string]string{"MediaCdn": "false"}, ",", api, "", ""},
		{"CloudFront", nil, ",," + media, api + ",," + delivery + "," + media, "", ""},
		{"a domain", map[string]string{"DomainName": "cms.example.com", "OriginVerifyVersion": "2"},
			"cms.example.com,," + media, api + "cms.example.com,," + delivery + "," + media,
			"https://cms.example.com", ""},
		{"two domains", map[string]string{"DomainName": "cms.example.com",
			"DeliveryDomainName": "cdn.example.com", "KeepMediaDistribution": "false"},
			"cms.example.com,cdn.example.com", api + "cms.example.com,cdn.example.com," + delivery,
			"https://cms.example.com", ""},
		{"one domain", map[string]string{"DomainName": "cms.example.com",
			"DeliveryDomainName": "cms.example.com", "KeepMediaDistribution": "false"},
			"cms.example.com,cms.example.com", api + "cms.example.com,cms.example.com," + delivery,
			"https://cms.example.com", origin + "1}}"},
		{"one domain, another secret", map[string]string{"DomainName": "cms.example.com",
			"DeliveryDomainName": "cms.example.com", "OriginVerifyVersion": "2", "OriginVerifyAlso": "1"},
			"cms.example.com,cms.example.com," + media,
			api + "cms.example.com,cms.example.com," + delivery + "," + media,
			"https://cms.example.com", origin + "2}}," + origin + "1}}"},
	} {
		for _, f := range deployed(t, parsed, test.parameters) {
			want := map[string]string{"ORIGIN_VERIFY": test.secret}
			switch f.ID {
			case "AdminFunction":
				want["OWN_HOSTS"], want["SITE_URL"] = test.admin, test.site
			case "WebhookWorkerFunction":
				want["OWN_HOSTS"] = test.worker
			}
			for name, value := range want {
				if got := f.Environment[name]; got != value {
					t.Errorf("%s: %s of %s is %q, want %q", test.name, name, f.ID, got, value)
				}
			}
		}
		for _, domain := range []string{"ApiDomain", "DomainViewer"} {
			condition := asMap(asMap(parsed.Root["Resources"])[domain])["Condition"].(string)
			holds, err := parsed.condition(condition, Scope{Parameters: test.parameters})
			want := test.name == "a domain" || test.name == "two domains"
			if domain == "DomainViewer" {
				want = strings.HasPrefix(test.name, "one domain")
			}
			if err != nil || holds != want {
				t.Errorf("%s: %s is made: %v, %v", test.name, domain, holds, err)
			}
		}
	}
}

// TestOriginOfDelivery: the delivery API is behind a name that the API has. Where the gateway's own name is
// closed, CloudFront used to ask for it all the same, and every answer was 404.
func TestOriginOfDelivery(t *testing.T) {
	parsed := service(t)
	resources := asMap(parsed.Root["Resources"])
	for _, test := range []struct {
		name       string
		parameters map[string]string
		origin     string
	}{
		{"nothing", nil, "HttpApi.execute-api.r.s"},
		{"a domain", map[string]string{"DomainName": "cms.example.com"}, "HttpApi.execute-api.r.s"},
		{"a domain alone", map[string]string{"DomainName": "cms.example.com", "DefaultEndpoint": "false"},
			"cms.example.com"},
		{"one domain", map[string]string{"DomainName": "cms.example.com", "DeliveryDomainName": "cms.example.com",
			"DefaultEndpoint": "false"}, "HttpApi.execute-api.r.s"},
	} {
		scope := Scope{Parameters: test.parameters,
			Refs: map[string]string{"HttpApi": "HttpApi", "AWS::Region": "r", "AWS::URLSuffix": "s"}}
		closed, err := parsed.Eval(asMap(asMap(resources["HttpApi"])["Properties"])["DisableExecuteApiEndpoint"], scope)
		must.Do(t, err)
		config := asMap(asMap(asMap(resources["DeliveryDistribution"])["Properties"])["DistributionConfig"])
		origins, _ := config["Origins"].([]any)
		origin, err := parsed.Eval(asMap(origins[0])["DomainName"], scope)
		if err != nil || origin != test.origin || (closed == true) != (origin == "cms.example.com") {
			t.Errorf("%s: CloudFront asks %v, whose gateway is closed: %v, %v", test.name, origin, closed, err)
		}
	}
}

// TestVisitorsOfDelivery: under one domain the delivery API hears of the visitor, for the limit of an address.
// Otherwise the functions believe no header, so that nobody can name another visitor.
func TestVisitorsOfDelivery(t *testing.T) {
	parsed := service(t)
	resources := asMap(parsed.Root["Resources"])
	config := asMap(asMap(asMap(resources["DeliveryDistribution"])["Properties"])["DistributionConfig"])
	behavior := asMap(config["CacheBehaviors"].([]any)[0])
	policy := asMap(asMap(asMap(resources["VisitorRequestPolicy"])["Properties"])["OriginRequestPolicyConfig"])
	if headers := asMap(policy["HeadersConfig"])["Headers"]; !reflect.DeepEqual(headers, []any{"X-Viewer-Address"}) {
		t.Errorf("the policy passes on %v", headers)
	}
	for domain, want := range map[string]any{"cms.example.com": "policy", "cdn.example.com": ""} {
		got, err := parsed.Eval(behavior["OriginRequestPolicyId"], Scope{
			Parameters: map[string]string{"DomainName": "cms.example.com", "DeliveryDomainName": domain},
			Refs:       map[string]string{"VisitorRequestPolicy": "policy", "AWS::NoValue": ""}})
		if err != nil || got != want {
			t.Errorf("%s: the policy is %v, %v", domain, got, err)
		}
	}
}

// TestFormerDistribution: the distribution that served files before the domain was set stays until
// a parameter removes it, may read the files and variants, and keeps no answer: purges do not reach
// it.
func TestFormerDistribution(t *testing.T) {
	const cachingDisabled = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad"
	parsed := service(t)
	resources := asMap(parsed.Root["Resources"])
	for _, test := range []struct {
		name          string
		parameters    map[string]string
		stays, former bool
	}{
		{"no domain", nil, true, false},
		{"a domain", map[string]string{"DeliveryDomainName": "cdn.example.com"}, true, true},
		{"a domain, removed", map[string]string{"DeliveryDomainName": "cdn.example.com",
			"KeepMediaDistribution": "false"}, false, false},
		{"no CDN", map[string]string{"MediaCdn": "false"}, false, false},
	} {
		scope := Scope{Parameters: test.parameters, Refs: map[string]string{"MediaCachePolicy": "policy"}}
		for _, id := range []string{"MediaDistribution", "ImageUrlPermission", "ImageCallPermission"} {
			if holds, err := parsed.condition(asMap(resources[id])["Condition"].(string), scope); err != nil ||
				holds != test.stays {
				t.Errorf("%s: %s is made: %v, %v", test.name, id, holds, err)
			}
		}
		if !test.stays {
			continue
		}
		config := asMap(asMap(asMap(resources["MediaDistribution"])["Properties"])["DistributionConfig"])
		policy, err := parsed.Eval(asMap(config["DefaultCacheBehavior"])["CachePolicyId"], scope)
		if err != nil || (policy == cachingDisabled) != test.former {
			t.Errorf("%s: the cache policy is %v, %v", test.name, policy, err)
		}
	}
}

// deployed are the functions of a deployment in which every resource has its logical id as name.
func deployed(t *testing.T, parsed *Template, parameters map[string]string) []Function {
	t.Helper()
	scope := Scope{Parameters: parameters, Refs: map[string]string{"AWS::Region": "r",
		"AWS::URLSuffix": "s", "AWS::StackName": "n", "AWS::Partition": "p", "AWS::AccountId": "a"},
		Attributes: map[string]string{}}
	for id := range asMap(parsed.Root["Resources"]) {
		scope.Refs[id] = id
		for _, name := range []string{"Arn", "StreamArn", "DomainName", "RegionalDomainName", "QueueName"} {
			scope.Attributes[id+"."+name] = id + "." + name
		}
	}
	functions, err := parsed.Functions(scope)
	must.Do(t, err)
	return functions
}
