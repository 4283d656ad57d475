package template

import "testing"

// TestDistributions looks at what the functions are told of the CDN: without one, with the names
// that CloudFront gives, and with a domain that delivery and media share.
func TestDistributions(t *testing.T) {
	parsed := service(t)
	resources := asMap(parsed.Root["Resources"])
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
		{"one", map[string]string{"DeliveryDomainName": "cdn.example.com"}, "DeliveryDistribution",
			"DeliveryDistribution", "https://cdn.example.com/media"},
	} {
		t.Run(test.name, func(t *testing.T) {
			scope := Scope{Parameters: test.parameters, Refs: map[string]string{"AWS::Region": "r",
				"AWS::URLSuffix": "s", "AWS::StackName": "n", "AWS::Partition": "p", "AWS::AccountId": "a"},
				Attributes: map[string]string{}}
			for id := range resources {
				scope.Refs[id] = id
				for _, name := range []string{"Arn", "StreamArn", "DomainName",
					"RegionalDomainName", "QueueName"} {
					scope.Attributes[id+"."+name] = id + "." + name
				}
			}
			functions, err := parsed.Functions(scope)
			if err != nil {
				t.Fatal(err)
			}
			told := 0
			for _, f := range functions {
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
