package main

import (
	"fmt"
	"slices"
	"testing"

	"headless/pkg/must"
	"headless/scripts/internal/template"
)

func TestDerive(t *testing.T) {
	before, err := template.Load("../../template.yaml")
	must.Do(t, err)
	after, err := template.Load("../../template.yaml")
	must.Do(t, err)
	must.Do(t, derive(after))
	if api := after.Resources("AWS::Serverless::Api"); len(api) != 1 || api[0].ID != "HttpApi" {
		t.Errorf("REST APIs: %v", api)
	}
	for _, kind := range []string{"AWS::Serverless::HttpApi", "AWS::ApiGatewayV2::DomainName",
		"AWS::ApiGatewayV2::ApiMapping"} {
		if left := after.Resources(kind); len(left) != 0 {
			t.Errorf("%s is left: %v", kind, left)
		}
	}
	want := append(paths(before, "HttpApi"), defaultPaths...)
	want = slices.DeleteFunc(want, func(p string) bool { return p == "<nil>" }) // $default
	got := paths(after, "Api")
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("paths\n got %v\nwant %v", got, want)
	}
}

// paths lists the paths of all events of a kind.
func paths(t *template.Template, kind string) []string {
	var out []string
	for _, f := range t.Resources("AWS::Serverless::Function") {
		events, _ := f.Properties()["Events"].(map[string]any)
		for _, v := range events {
			event, _ := v.(map[string]any)
			properties, _ := event["Properties"].(map[string]any)
			if event["Type"] == kind {
				out = append(out, fmt.Sprint(properties["Path"]))
			}
		}
	}
	return out
}
