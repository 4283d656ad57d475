package main

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"headless/pkg/must"
	"headless/scripts/internal/template"
)

// TestCanary: each function moves slowly and is watched, and nothing else differs from the
// template.
func TestCanary(t *testing.T) {
	const path = "../../template.yaml"
	var out bytes.Buffer
	must.Do(t, run(path, &out))
	got, err := template.Parse(out.Bytes())
	must.Do(t, err)
	want, err := template.Load(path)
	must.Do(t, err)
	alarms := map[string]bool{}
	for _, r := range got.Resources("AWS::CloudWatch::Alarm") {
		alarms[r.ID] = true
	}
	plain := want.Resources("AWS::Serverless::Function")
	for i, f := range got.Resources("AWS::Serverless::Function") {
		p := f.Properties()
		preference, _ := p["DeploymentPreference"].(map[string]any)
		watched, _ := preference["Alarms"].([]any)
		if p["AutoPublishAlias"] != "live" || preference["Type"] != pace || len(watched) != 2 {
			t.Errorf("%s: %v", f.ID, preference)
		}
		for _, v := range watched {
			if id := fmt.Sprint(v.(map[string]any)["Ref"]); !alarms[id] {
				t.Errorf("%s is watched by %s, which is no alarm", f.ID, id)
			}
		}
		for _, added := range []string{"AutoPublishAlias", "AutoPublishAliasAllProperties",
			"DeploymentPreference"} {
			delete(p, added)
		}
		if f.ID != plain[i].ID || !reflect.DeepEqual(fmt.Sprint(p), fmt.Sprint(plain[i].Properties())) {
			t.Errorf("%s is another function", f.ID)
		}
	}
	more := len(got.Root["Resources"].(map[string]any)) - len(want.Root["Resources"].(map[string]any))
	if more != len(alarms)+len(plain)+1 || len(alarms) != len(plain)+1 {
		t.Errorf("%d resources more, %d alarms", more, len(alarms))
	}
}

// TestImagesMove: variants come to CloudFront by the alias, and CloudFront may call the alias.
func TestImagesMove(t *testing.T) {
	var out bytes.Buffer
	must.Do(t, run("../../template.yaml", &out))
	parsed, err := template.Parse(out.Bytes())
	must.Do(t, err)
	urls := parsed.Resources("AWS::Lambda::Url")
	if len(urls) != 1 || urls[0].Properties()["Qualifier"] != "live" ||
		urls[0].Body["DependsOn"] != "ImageFunctionAliaslive" {
		t.Errorf("URLs: %v", urls)
	}
	permissions := parsed.Resources("AWS::Lambda::Permission")
	if len(permissions) < 2 {
		t.Errorf("%d permissions", len(permissions))
	}
	for _, r := range permissions {
		name, _ := r.Properties()["FunctionName"].(map[string]any)
		if name["Ref"] != "ImageFunction.Alias" {
			t.Errorf("%s is for %v", r.ID, name)
		}
	}
}
