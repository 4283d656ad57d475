package main

import (
	"fmt"
	"strings"

	"headless/scripts/internal/template"
)

// stage is the name of the stage that the derived REST API is deployed to.
const stage = "live"

// derive turns the template into one that LocalStack's edition without a licence can deploy:
//
//   - it has no HTTP API, so the API becomes a REST API, each HttpApi event an Api event, and
//     $default the paths that no other route matches;
//   - it has no custom domains of HTTP APIs, so those resources are left out (a parameter switches
//     CloudFront off);
//   - schedules run every minute, so that a test need not wait five minutes.
func derive(t *template.Template) error {
	resources, ok := t.Root["Resources"].(map[string]any)
	if !ok {
		return fmt.Errorf("the template has no resources")
	}
	for id, v := range resources {
		r, _ := v.(map[string]any)
		properties, _ := r["Properties"].(map[string]any)
		switch kind := fmt.Sprint(r["Type"]); {
		case kind == "AWS::Serverless::HttpApi":
			resources[id] = restAPI(properties)
		case strings.HasPrefix(kind, "AWS::ApiGatewayV2::"):
			delete(resources, id)
		case kind == "AWS::Serverless::Function":
			deriveEvents(properties)
		}
	}
	outputs, _ := t.Root["Outputs"].(map[string]any)
	delete(outputs, "ApiDomainTarget")
	return nil
}

func restAPI(httpAPI map[string]any) map[string]any {
	return map[string]any{
		"Type": "AWS::Serverless::Api",
		"Properties": map[string]any{
			"Description":      httpAPI["Description"],
			"StageName":        stage,
			"BinaryMediaTypes": []any{"*~1*"},
		},
	}
}

// defaultPaths are the paths of the resources that replace $default in a REST API.
var defaultPaths = []string{"/", "/{proxy+}"}

func deriveEvents(properties map[string]any) {
	events, _ := properties["Events"].(map[string]any)
	for name, v := range events {
		event, _ := v.(map[string]any)
		settings, _ := event["Properties"].(map[string]any)
		switch event["Type"] {
		case "Schedule":
			settings["Schedule"] = "rate(1 minute)"
		case "HttpApi":
			delete(events, name)
			paths := defaultPaths
			if path, ok := settings["Path"].(string); ok {
				paths = []string{path}
			}
			for i, path := range paths {
				key := name
				if i > 0 {
					key = fmt.Sprintf("%s%d", name, i)
				}
				events[key] = map[string]any{"Type": "Api", "Properties": map[string]any{
					"RestApiId": settings["ApiId"], "Method": "any", "Path": path,
				}}
			}
		}
	}
}
