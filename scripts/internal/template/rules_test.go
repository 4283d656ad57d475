package template

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"headless/pkg/must"
)

// TestRules: combinations that cannot work are refused before anything is made.
func TestRules(t *testing.T) {
	const api, edge = "arn:aws:acm:eu-west-1:1:certificate/a", "arn:aws:acm:us-east-1:1:certificate/b"
	parsed := service(t)
	for name, test := range map[string]struct {
		parameters map[string]string
		want       string // the beginning of the only refusal; "": none
	}{
		"nothing":    {nil, ""},
		"no CDN":     {map[string]string{"MediaCdn": "false"}, ""},
		"API domain": {map[string]string{"DomainName": "a.example.com", "CertificateArn": api}, ""},
		"one domain": {map[string]string{"DomainName": "a.example.com",
			"DeliveryDomainName": "a.example.com", "DeliveryCertificateArn": edge}, ""},
		"no certificate":          {map[string]string{"DomainName": "a.example.com"}, "DomainName needs"},
		"no delivery certificate": {map[string]string{"DeliveryDomainName": "a.example.com"}, "DeliveryDomainName needs Del"},
		"domain without CDN": {map[string]string{"DeliveryDomainName": "a.example.com",
			"DeliveryCertificateArn": edge, "MediaCdn": "false"}, "DeliveryDomainName needs MediaCdn"},
		"certificate alone":          {map[string]string{"CertificateArn": api}, "CertificateArn needs"},
		"delivery certificate alone": {map[string]string{"DeliveryCertificateArn": edge}, "DeliveryCertificateArn needs"},
		"no address left":            {map[string]string{"DefaultEndpoint": "false"}, "Without DomainName"},
		"firewall without CDN": {map[string]string{"WebAclArn": "arn:x", "MediaCdn": "false"},
			"WebAclArn guards"},
		"former key without CDN": {map[string]string{"KmsKeyFormer": "arn:key", "MediaCdn": "false"}, "Files that KmsKey"},
		"key without CDN":        {map[string]string{"KmsKey": "arn:key", "MediaCdn": "false"}, "Files that KmsKey"},
		"no client": {map[string]string{"OidcIssuer": "https://x", "OidcRoles": "a=admin"},
			"OidcIssuer needs OidcClientId"},
		"no roles":   {map[string]string{"OidcIssuer": "https://x", "OidcClientId": "a"}, "OidcIssuer needs OidcRoles"},
		"no sign-in": {map[string]string{"PasswordLogin": "off"}, "Without OidcIssuer"},
	} {
		said, err := refused(parsed, Scope{Parameters: test.parameters})
		must.Do(t, err)
		if test.want == "" && len(said) > 0 || test.want != "" &&
			(len(said) != 1 || !strings.HasPrefix(said[0], test.want)) {
			t.Errorf("%s: refused for %q, want %q", name, said, test.want)
		}
	}
}

// TestValues: values with which functions would end at their start, or mails and links would not work, are
// refused before a deployment changes anything.
func TestValues(t *testing.T) {
	parameters := asMap(service(t).Root["Parameters"])
	for name, values := range map[string][2][]string{
		"AdminNetworks":        {{"", "10.0.0.0/8, 2001:db8::/32", "192.0.2.1"}, {"office", "10.0.0.0/8;10.1.0.0/16"}},
		"TrustedProxies":       {{"", "10.0.0.0/8"}, {"none", "*"}},
		"WebhookRetrySchedule": {{"", "5s,5m,30m", "1h30m, 500ms"}, {"5", "5s;5m", "5 s", "1d"}},
		"OidcRoles":            {{"", "cn=a=admin,Site Admins=editor"}, {"admins", "a=admin,", "=admin", "a="}},
		"MailFrom":             {{"cms@example.com"}, {"", "CMS <cms@example.com>", "example.com"}},
		"DomainName":           {{"", "cms.example.com"}, {"https://cms.example.com", "cms", "cms.example.com/"}},
		"DeliveryDomainName":   {{"", "cdn.example.com"}, {"https://cdn.example.com", "*.example.com"}},
		"SiteUrl":              {{"", "https://example.com", "http://localhost:3000/cms"}, {"example.com", "https://"}},
		"MediaBaseUrl":         {{"", "https://cdn.example.com/media"}, {"cdn.example.com/media"}},
		"MediaBaseUrlFormer":   {{"", "https://a.b/media, https://c.d"}, {"a.b/media", "https://a.b c.d"}},
	} {
		pattern, _ := asMap(parameters[name])["AllowedPattern"].(string)
		allowed := regexp.MustCompile("^(?:" + pattern + ")$") // CloudFormation compares the whole value
		for i, list := range values {
			for _, value := range list {
				if fits := pattern != "" && allowed.MatchString(value); fits != (i == 0) {
					t.Errorf("%s takes %q: %v", name, value, fits)
				}
			}
		}
	}
}

// TestDomainsCanBeLeft: the parameters with which infra/README.md takes the domains from a stack are not
// refused, whatever the stack had. An empty DomainName alone is, since the certificate keeps its value.
func TestDomainsCanBeLeft(t *testing.T) {
	const api, edge = "arn:aws:acm:eu-west-1:1:certificate/a", "arn:aws:acm:us-east-1:1:certificate/b"
	parsed := service(t)
	readme, err := os.ReadFile("../../../infra/README.md")
	must.Do(t, err)
	ways := regexp.MustCompile("`(DomainName=\"\"[^`]*)`").FindAllStringSubmatch(string(readme), -1)
	if len(ways) == 0 {
		t.Fatal("infra/README.md does not say how to leave a domain")
	}
	for _, way := range ways {
		for _, had := range []map[string]string{
			{"DomainName": "a.example.com", "CertificateArn": api, "DefaultEndpoint": "false"},
			{"DomainName": "a.example.com", "DeliveryDomainName": "a.example.com", "DeliveryCertificateArn": edge},
			{"DomainName": "a.example.com", "CertificateArn": api, "DeliveryDomainName": "cdn.example.com",
				"DeliveryCertificateArn": edge},
		} {
			for _, word := range strings.Fields(way[1]) {
				name, value, _ := strings.Cut(word, "=")
				had[name] = strings.Trim(value, `"`)
			}
			scope := Scope{Parameters: had}
			said, err := refused(parsed, scope)
			if err != nil || len(said) > 0 {
				t.Errorf("%s is refused: %q, %v", way[1], said, err)
			}
			for _, domain := range []string{"HasDomain", "HasDeliveryDomain"} {
				if has, err := parsed.condition(domain, scope); err != nil || has {
					t.Errorf("%s after %s: %v, %v", domain, way[1], has, err)
				}
			}
		}
	}
}

// TestGroups: the console of CloudFormation shows each parameter in one group.
func TestGroups(t *testing.T) {
	root := service(t).Root
	shown := map[string]int{}
	groups, _ := asMap(asMap(root["Metadata"])["AWS::CloudFormation::Interface"])["ParameterGroups"].([]any)
	for _, group := range groups {
		names, _ := asMap(group)["Parameters"].([]any)
		for _, name := range names {
			shown[fmt.Sprint(name)]++
		}
	}
	for name := range asMap(root["Parameters"]) {
		if shown[name] != 1 {
			t.Errorf("%s is in %d groups", name, shown[name])
		}
		delete(shown, name)
	}
	if len(shown) > 0 {
		t.Errorf("no parameters: %v", shown)
	}
}

// TestNoQuestions: every parameter has a default that the first deployment works with, and none
// makes `sam deploy` ask for a secret.
func TestNoQuestions(t *testing.T) {
	for name, v := range asMap(service(t).Root["Parameters"]) {
		p := asMap(v)
		if _, ok := p["Default"]; !ok || p["NoEcho"] != nil {
			t.Errorf("%s has no default, or is a secret", name)
		}
	}
	var names []string
	for _, r := range service(t).Resources("AWS::Serverless::Function") {
		if name := asMap(r.Properties()["FunctionName"])["Fn::Sub"]; name != "${AWS::StackName}-"+r.ID {
			names = append(names, r.ID)
		}
	}
	if len(names) > 0 {
		t.Errorf("alarms do not find the functions %q by their names", slices.Sorted(slices.Values(names)))
	}
}

// TestParametersAreChecked: a mistyped address, stack or number is refused before anything is made, beside the
// service too.
func TestParametersAreChecked(t *testing.T) {
	files, err := filepath.Glob("../../../infra/*.yaml")
	must.Do(t, err)
	checked := 0
	for _, file := range append(files, "template.yaml") {
		name := strings.TrimPrefix(file, "../../../")
		if name == "infra/compose.yaml" {
			continue
		}
		for parameter, v := range asMap(load(t, name).Root["Parameters"]) {
			p := asMap(v)
			checked++
			limited := p["AllowedPattern"] != nil || p["AllowedValues"] != nil || p["MinValue"] != nil
			if !limited && p["Type"] != "CommaDelimitedList" {
				t.Errorf("%s: %s takes any value", name, parameter)
			}
			if p["Description"] == nil {
				t.Errorf("%s: %s has no description", name, parameter)
			}
		}
	}
	if checked < 60 {
		t.Errorf("%d parameters were found", checked)
	}
}

// refused returns what the rules of the template say against the parameters of a deployment.
func refused(t *Template, s Scope) (sentences []string, err error) {
	rules := asMap(t.Root["Rules"])
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		rule := asMap(rules[name])
		if holds, err := t.Eval(rule["RuleCondition"], s); err != nil || holds != true {
			if err != nil {
				return nil, fmt.Errorf("rule %s: %w", name, err)
			}
			continue
		}
		for _, one := range asList(rule["Assertions"]) {
			holds, err := t.Eval(asMap(one)["Assert"], s)
			if err != nil {
				return nil, fmt.Errorf("rule %s: %w", name, err)
			}
			if holds != true {
				sentences = append(sentences, fmt.Sprint(asMap(one)["AssertDescription"]))
			}
		}
	}
	return sentences, nil
}
