package template

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"headless/pkg/must"
)

// TestSamLocal checks the recipe for `sam local` as far as that goes without containers: SAM drops
// variables that a function does not have in the template, and a name leads to an emulator only
// where both are in the same network.
func TestSamLocal(t *testing.T) {
	read := func(path string) []byte {
		text, err := os.ReadFile("../../../infra/" + path)
		must.Do(t, err)
		return text
	}
	var settings struct{ Parameters map[string]string }
	must.Do(t, json.Unmarshal(read("sam-local.json"), &settings))
	parsed := service(t)
	for _, f := range parsed.Resources("AWS::Serverless::Function") {
		known := parsed.Variables(f)
		for name := range settings.Parameters {
			if !slices.Contains(known, name) {
				t.Errorf("%s has no variable %s", f.ID, name)
			}
		}
	}
	var compose struct {
		Services map[string]struct{ Ports []string }
		Networks map[string]struct{ Name string }
	}
	must.Do(t, yaml.Unmarshal(read("compose.yaml"), &compose))
	endpoint, err := url.Parse(settings.Parameters["AWS_ENDPOINT_URL_DYNAMODB"])
	must.Do(t, err)
	if ports := compose.Services[endpoint.Hostname()].Ports; len(ports) != 1 ||
		!strings.HasSuffix(ports[0], ":"+endpoint.Port()) {
		t.Errorf("no service of compose.yaml is at %s", endpoint)
	}
	network := compose.Networks["default"].Name
	if sam := string(read("../samconfig.toml")); network == "" ||
		strings.Count(sam, fmt.Sprintf("docker_network = %q", network)) != 2 {
		t.Errorf("samconfig.toml joins another network than %q", network)
	}
}
