package hookpages

import (
	"net/url"
	"reflect"
	"testing"

	"headless/pkg/admin/frame"
	"headless/pkg/input"
)

func TestFormHeaders(t *testing.T) {
	for text, want := range map[string]any{
		"X-Team: web\r\nX-Time: 12:30\r\n": map[string]any{"X-Team": "web", "X-Time": "12:30"},
		"":                                 map[string]any{},
	} {
		body := input.FromForm(url.Values{"headers": {text}})
		if err := formHeaders(&frame.Call{IsForm: true}, body); err != nil ||
			!reflect.DeepEqual(body["headers"], want) {
			t.Errorf("%q: %v, %v", text, body["headers"], err)
		}
	}
	if formHeaders(&frame.Call{IsForm: true}, input.FromForm(url.Values{"headers": {"no colon"}})) == nil {
		t.Error("a line without a colon was taken")
	}
}
