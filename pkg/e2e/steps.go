package e2e

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// step is one row of a table: a request and the expected answer.
type step struct {
	name    string
	call    string // "METHOD /path?query"
	body    any
	status  int
	code    string   // of the error; "" if none is expected
	details []string // keys that error.details must have, no more and no fewer
	want    obj      // dotted path of the body to value, nil, or matcher
	header  obj      // name of a header to value or matcher
}

// matcher is a condition on a value; the error says what is wrong.
type matcher func(v any) error

// run runs a table in order, one subtest per row.
func (c *client) run(t *testing.T, steps ...step) {
	t.Helper()
	for _, st := range steps {
		t.Run(st.name, func(t *testing.T) { c.step(t, st) })
	}
}

// step makes one request and checks the answer.
func (c *client) step(t *testing.T, st step) answer {
	t.Helper()
	a := c.do(t, st.call, st.body)
	if a.Status != st.status || a.code() != st.code {
		t.Fatalf("%s: %d %s, want %d %s\n%.600s", st.call, a.Status, a.code(), st.status, st.code, a.Raw)
	}
	if st.details != nil {
		checkDetails(t, st.call, a, st.details)
	}
	a.has(t, st.call, st.want)
	for name, want := range st.header {
		if err := compare(a.Header.Get(name), want); err != nil {
			t.Errorf("%s: header %s: %v", st.call, name, err)
		}
	}
	return a
}

// has checks values of the answer to a call by their paths.
func (a answer) has(t *testing.T, call string, wanted obj) {
	t.Helper()
	for path, want := range wanted {
		if err := compare(a.get(path), want); err != nil {
			t.Errorf("%s: %s: %v\n%.600s", call, path, err, a.Raw)
		}
	}
}

// ok makes a request that must succeed with the status.
func (c *client) ok(t *testing.T, status int, call string, body any) answer {
	t.Helper()
	return c.step(t, step{call: call, body: body, status: status})
}

func checkDetails(t *testing.T, call string, a answer, want []string) {
	t.Helper()
	details, _ := a.get("error.details").(obj)
	var got []string
	for k := range details {
		got = append(got, k)
	}
	slices.Sort(got)
	want = slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		t.Errorf("%s: details on %q, want %q\n%.600s", call, got, want, a.Raw)
	}
}

// compare compares a decoded value with a wanted one, which may be a matcher.
func compare(got, want any) error {
	if m, ok := want.(matcher); ok {
		return m(got)
	}
	j, err := json.Marshal(want)
	if err != nil {
		return err
	}
	var norm any
	if err := json.Unmarshal(j, &norm); err != nil {
		return err
	}
	if !reflect.DeepEqual(got, norm) {
		g, _ := json.Marshal(got)
		return fmt.Errorf("got %.400s, want %.400s", g, j)
	}
	return nil
}

// present matches anything but null.
var present matcher = func(v any) error {
	if v == nil || v == "" {
		return fmt.Errorf("is missing")
	}
	return nil
}

// timestamp matches the format of times in the API.
var timestamp = matches(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`)

func matches(re string) matcher {
	return func(v any) error {
		if s, ok := v.(string); !ok || !regexp.MustCompile(re).MatchString(s) {
			return fmt.Errorf("%v does not match %s", v, re)
		}
		return nil
	}
}

func contains(part string) matcher { return matches(`(?is)` + regexp.QuoteMeta(part)) }

func not(unwanted any) matcher {
	return func(v any) error {
		if compare(v, unwanted) == nil {
			return fmt.Errorf("is %v", v)
		}
		return nil
	}
}

func dig(v any, path string) any {
	for _, part := range strings.Split(path, ".") {
		switch node := v.(type) {
		case obj:
			v = node[part]
		case list:
			if part == "#" {
				return float64(len(node))
			}
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(node) {
				return nil
			}
			v = node[i]
		default:
			return nil
		}
	}
	return v
}

// column returns the value of one key of every item of a list.
func column(v any, key string) []string {
	items, _ := v.(list)
	out := []string{}
	for _, item := range items {
		out = append(out, fmt.Sprint(dig(item, key)))
	}
	return out
}

// find returns the first item of a list whose key has the value, or nil.
func find(v any, key, value string) obj {
	items, _ := v.(list)
	for _, item := range items {
		if fmt.Sprint(dig(item, key)) == value {
			o, _ := item.(obj)
			return o
		}
	}
	return nil
}
