package main

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"headless/pkg/must"
	"headless/scripts/internal/template"
)

// TestAdopt: the next deployment must find nothing to change in adopted resources.
func TestAdopt(t *testing.T) {
	const path = "../../template.yaml"
	var out bytes.Buffer
	must.Do(t, run(path, []string{"Table", "MediaBucket"}, &out))
	// What CloudFormation limits for a template that is sent with the request.
	if out.Len() > 51200 {
		t.Errorf("%d bytes", out.Len())
	}
	got, err := template.Parse(out.Bytes())
	must.Do(t, err)
	want, err := template.Load(path)
	must.Do(t, err)
	for _, kind := range []string{"AWS::DynamoDB::Table", "AWS::S3::Bucket"} {
		a, b := got.Resources(kind), want.Resources(kind)
		if len(a) != 1 || a[0].ID != b[0].ID || !same(t, a[0].Properties(), b[0].Properties()) ||
			a[0].Body["DeletionPolicy"] != "Retain" {
			t.Errorf("got %v\nwant %v", a, b)
		}
	}
	if n := len(got.Root["Resources"].(map[string]any)); n != 2 {
		t.Errorf("%d resources", n)
	}
	if err := run(path, []string{"Nothing"}, &out); err == nil {
		t.Error("no error for a resource that is not there")
	}
}

// same compares as JSON, since a number that was written and read is of another type.
func same(t *testing.T, a, b any) bool {
	t.Helper()
	var decoded [2]any
	for i, v := range []any{a, b} {
		text, err := json.Marshal(v)
		must.Do(t, err)
		must.Do(t, json.Unmarshal(text, &decoded[i]))
	}
	return reflect.DeepEqual(decoded[0], decoded[1])
}
