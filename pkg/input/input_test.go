package input

import (
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/must"
)

type sampleInput struct {
	Text  *string            `json:"text"`
	On    *bool              `json:"on"`
	Count *int               `json:"count"`
	Share *float64           `json:"share"`
	List  *[]string          `json:"list"`
	Map   *map[string]string `json:"map"`
	At    *cms.Time          `json:"at"`
	Inner **innerInput       `json:"inner"`
	Parts *[]innerInput      `json:"parts"`
	Any   any                `json:"any"`
	None  *string            `json:"-"`
}

type innerInput struct {
	Name  string   `json:"name"`
	Limit *float64 `json:"limit"`
}

func TestDecodeInput(t *testing.T) {
	for body, want := range map[string][]string{
		`{}`: nil,
		`{"text":"a","on":true,"count":3,"share":0.5,"list":["x"],"map":{"a":"b"},"at":"2026-01-31T12:00:00Z",
			"inner":{"name":"n"},"parts":[{"limit":1}],"any":[1]}`: nil,
		`{"id":"x","created_at":1,"updated_at":2,"version":3,"extra":4}`:                                  nil,
		`{"text":null,"on":null,"count":null,"list":null,"map":null,"at":null,"inner":null,"parts":null}`: nil,
		`{"other":1,"":2,"-":3}`: {"", "-", "other"},
		`{"text":1,"on":"true","count":1.5,"share":"x","list":"x","map":[],"at":"soon","inner":[],"parts":{}}`: {"at",
			"count", "inner", "list", "map", "on", "parts", "share", "text"},
		`{"list":[1,null],"map":{"a":1},"inner":{"name":1,"x":2},"parts":[{"limit":"1"},{"y":1},"z"],"count":1e99}`: {"count",
			"inner.name", "inner.x", "list.0", "list.1", "map.a", "parts.0.limit", "parts.1.y", "parts.2"},
	} {
		object, err := cms.DecodeObject([]byte(body))
		must.Do(t, err)
		_, p := Decode[sampleInput](object, "extra")
		if got := slices.Sorted(maps.Keys(p)); !slices.Equal(got, want) {
			t.Errorf("%s: problems %v, want %v", body, got, want)
		}
	}
}

func TestNullClears(t *testing.T) {
	in, _ := Decode[sampleInput](map[string]any{"text": nil, "on": nil, "count": nil, "list": nil, "at": nil,
		"inner": nil})
	switch {
	case in.Text == nil || *in.Text != "", in.List == nil || len(*in.List) != 0, in.At == nil ||
		!in.At.IsZero(), in.Inner == nil || *in.Inner != nil:
		t.Errorf("null does not clear: %+v", in)
	case in.On != nil || in.Count != nil:
		t.Errorf("null is a value of what has no empty one: %+v", in)
	}
}

func TestApply(t *testing.T) {
	type thing struct {
		Name  string            `json:"name"`
		On    bool              `json:"on"`
		Count int               `json:"count"`
		List  []string          `json:"list"`
		Map   map[string]string `json:"map"`
		Inner innerInput        `json:"inner"`
	}
	limit := 2.0
	was := thing{"a", true, 3, []string{"x"}, map[string]string{"k": "v"}, innerInput{"n", &limit}}
	for body, want := range map[string]thing{
		`{}`: was,
		`{"name":null,"on":null,"count":null,"list":null,"map":null,"inner":null}`: {On: true, Count: 3},
		`{"name":"b","on":false,"count":0,"list":[],"map":{"l":"w"},"inner":{"name":"m"}}`: {"b", false, 0, []string{},
			map[string]string{"l": "w"}, innerInput{Name: "m"}},
		`{"name":1,"on":"","count":"","list":{},"map":[],"inner":1}`: was,
	} {
		object, err := cms.DecodeObject([]byte(body))
		must.Do(t, err)
		now := was
		if Apply(object, &now); !reflect.DeepEqual(now, want) {
			t.Errorf("%s: %+v, want %+v", body, now, want)
		}
	}
	if was.List[0] != "x" || was.Map["k"] != "v" {
		t.Errorf("the value before is changed: %+v", was)
	}
}

// TestDeepForm holds that a name of dots makes no more objects than JSON may have levels. Each takes some 300 bytes.
func TestDeepForm(t *testing.T) {
	name, depth := strings.Repeat("a.", cms.MaxDepth)+"b", 0
	for v := any(FromForm(url.Values{name: {"x"}})); ; depth++ {
		object, ok := v.(map[string]any)
		if !ok {
			break
		}
		for _, v = range object { // has one key
		}
	}
	if depth != cms.MaxDepth {
		t.Errorf("%d levels", depth)
	}
}

func TestFromForm(t *testing.T) {
	in, p := Decode[sampleInput](FromForm(url.Values{
		"_csrf": {"t"}, "_method": {"PUT"}, "text": {"a\r\nb"}, "on": {"false", "true"},
		"count": {" 7 "}, "share": {""}, "list": {"", "one\r\n two \n\n", "three"},
		"at": {""}, "inner.name": {"n"}, "inner.limit": {"2"}, "parts": {`[{"name":"x"}]`},
		"any": {`{"a":1}`},
	}))
	if len(p) > 0 {
		t.Fatal(p)
	}
	limit := 2.0
	if *in.Text != "a\nb" || !*in.On || *in.Count != 7 || in.Share != nil ||
		!slices.Equal(*in.List, []string{"one", "two", "three"}) ||
		!reflect.DeepEqual(**in.Inner, innerInput{"n", &limit}) ||
		!reflect.DeepEqual(*in.Parts, []innerInput{{Name: "x"}}) {
		t.Errorf("form %+v", in)
	}
	_, p = Decode[sampleInput](FromForm(url.Values{"count": {"many"}, "parts": {"[{"}}))
	if got := slices.Sorted(maps.Keys(p)); !slices.Equal(got, []string{"count", "parts"}) {
		t.Errorf("problems %v", p)
	}
}
