package kit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Step is one row of a table: a request and the expected answer.
type Step struct {
	Name    string
	Call    string // "METHOD /path?query"
	Body    any
	Status  int    // 0 for the usual one: that of the Code, or 200
	Code    string // of the error; "" if none is expected
	Invalid string // keys of error.details, no more and no fewer, with spaces between; the code is VALIDATION_FAILED
	Want    Obj    // dotted path of the body to value, nil, or Matcher
	Header  Obj    // name of a header to value or Matcher
}

// statuses are the usual statuses of the codes of errors.
var statuses = map[string]int{
	"": 200, "BAD_REQUEST": 400, "QUERY_NOT_INDEXED": 400, "AUTHORIZATION_PENDING": 400, "SLOW_DOWN": 400,
	"ACCESS_DENIED": 400, "EXPIRED_TOKEN": 400, "UNAUTHORIZED": 401, "TOTP_REQUIRED": 401, "FORBIDDEN": 403,
	"CONFIRMATION_REQUIRED": 403, "ORIGIN_NOT_ALLOWED": 403, "NOT_FOUND": 404, "MODEL_NOT_FOUND": 404,
	"ENTRY_NOT_FOUND": 404, "FILE_NOT_FOUND": 404, "FORM_NOT_FOUND": 404, "METHOD_NOT_ALLOWED": 405, "CONFLICT": 409,
	"IN_USE": 409, "APPROVAL_REQUIRED": 409, "SLUG_CONFLICT": 409, "FORM_INACTIVE": 410, "SYNC_EXPIRED": 410,
	"PRECONDITION_FAILED": 412, "PAYLOAD_TOO_LARGE": 413, "FILE_TOO_LARGE": 413, "UNSUPPORTED_MEDIA_TYPE": 415,
	"VALIDATION_FAILED": 422, "RATE_LIMITED": 429,
}

// Matcher is a condition on a value; the error says what is wrong.
type Matcher func(v any) error

// Run runs a table in order, one subtest per row.
func (c *Client) Run(t *testing.T, steps ...Step) {
	t.Helper()
	for _, st := range steps {
		t.Run(st.Name, func(t *testing.T) { c.Step(t, st) })
	}
}

// Step makes one request and checks the answer.
func (c *Client) Step(t *testing.T, st Step) Answer {
	t.Helper()
	if st.Invalid != "" {
		st.Code = "VALIDATION_FAILED"
	}
	st.Status = cmp.Or(st.Status, statuses[st.Code])
	a := c.Do(t, st.Call, st.Body)
	if a.Status != st.Status || a.Code() != st.Code {
		t.Fatalf("%s: %d %s, want %d %s\n%.600s", st.Call, a.Status, a.Code(), st.Status, st.Code, a.Raw)
	}
	if st.Invalid != "" {
		checkDetails(t, st.Call, a, strings.Fields(st.Invalid))
	}
	a.Has(t, st.Call, st.Want)
	for name, want := range st.Header {
		if err := Compare(a.Header.Get(name), want); err != nil {
			t.Errorf("%s: header %s: %v", st.Call, name, err)
		}
	}
	return a
}

// Has checks values of the answer by their paths. Its messages begin with what.
func (a Answer) Has(t *testing.T, what string, wanted Obj) {
	t.Helper()
	checkValues(t, what, a.JSON, a.Raw, wanted)
}

// HasStatus ends the test if an answer has another status. Its message begins with what.
func (a Answer) HasStatus(t *testing.T, what string, status int) {
	t.Helper()
	if a.Status != status {
		t.Fatalf("%s: %d to %q, want %d: %.2000s", what, a.Status, a.Header.Get("Location"), status, a.Raw)
	}
}

// Same compares a value with the wanted one, of the same type. Its message begins with what.
func Same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %.2000v, want %.2000v", what, got, want)
	}
}

// Contains checks that the answer has all parts, as they are written. Its messages begin with what.
func (a Answer) Contains(t *testing.T, what string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(string(a.Raw), part) {
			t.Errorf("%s: no %q in %.2000s", what, part, a.Raw)
		}
	}
}

// Lacks checks that the answer has none of the parts. Its messages begin with what.
func (a Answer) Lacks(t *testing.T, what string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(string(a.Raw), part) {
			t.Errorf("%s: %q in %.2000s", what, part, a.Raw)
		}
	}
}

// checkValues compares values of a decoded body with wanted ones by their paths. raw is the body as it came.
func checkValues(t *testing.T, what string, body any, raw []byte, wanted Obj) {
	t.Helper()
	for path, want := range wanted {
		if err := Compare(Dig(body, path), want); err != nil {
			t.Errorf("%s: %s: %v\n%.600s", what, path, err, raw)
		}
	}
}

// OK makes a request that must succeed with the status. Get, Put, Post and Delete expect the usual one.
func (c *Client) OK(t *testing.T, status int, call string, body any) Answer {
	t.Helper()
	return c.Step(t, Step{Call: call, Body: body, Status: status})
}

// Get reads a path.
func (c *Client) Get(t *testing.T, path string) Answer {
	t.Helper()
	return c.OK(t, http.StatusOK, "GET "+path, nil)
}

// Put changes a resource.
func (c *Client) Put(t *testing.T, path string, body any) Answer {
	t.Helper()
	return c.OK(t, http.StatusOK, "PUT "+path, body)
}

// Post creates a resource.
func (c *Client) Post(t *testing.T, path string, body any) Answer {
	t.Helper()
	return c.OK(t, http.StatusCreated, "POST "+path, body)
}

// Delete deletes a resource.
func (c *Client) Delete(t *testing.T, path string) {
	t.Helper()
	c.OK(t, http.StatusNoContent, "DELETE "+path, nil)
}

func checkDetails(t *testing.T, call string, a Answer, want []string) {
	t.Helper()
	details, _ := a.Get("error.details").(Obj)
	var got []string
	for k := range details {
		got = append(got, k)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s: details on %q, want %q\n%.600s", call, got, want, a.Raw)
	}
}

// Compare compares a decoded value with a wanted one, which may be a Matcher.
func Compare(got, want any) error {
	if m, ok := want.(Matcher); ok {
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

// Present matches anything but null.
var Present Matcher = func(v any) error {
	if v == nil || v == "" {
		return fmt.Errorf("is missing")
	}
	return nil
}

// Timestamp matches the format of times in the API.
var Timestamp = Matches(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`)

// Matches matches strings by a regular expression.
func Matches(re string) Matcher {
	return func(v any) error {
		if s, ok := v.(string); !ok || !regexp.MustCompile(re).MatchString(s) {
			return fmt.Errorf("%v does not match %s", v, re)
		}
		return nil
	}
}

// Contains matches strings with a part, in upper or lower case.
func Contains(part string) Matcher { return Matches(`(?is)` + regexp.QuoteMeta(part)) }

// Not matches all but a value.
func Not(unwanted any) Matcher {
	return func(v any) error {
		if Compare(v, unwanted) == nil {
			return fmt.Errorf("is %v", v)
		}
		return nil
	}
}

// Item matches a list that has an item with values by their paths.
func Item(wanted Obj) Matcher {
	return func(v any) error {
		items, _ := v.(List)
		if !slices.ContainsFunc(items, func(item any) bool { return hasValues(item, wanted) }) {
			return fmt.Errorf("no item with %v in %.600v", wanted, v)
		}
		return nil
	}
}

func hasValues(v any, wanted Obj) bool {
	for path, want := range wanted {
		if Compare(Dig(v, path), want) != nil {
			return false
		}
	}
	return true
}

// Dig is Answer.Get in any decoded value.
func Dig(v any, path string) any {
	for _, part := range strings.Split(path, ".") {
		switch node := v.(type) {
		case Obj:
			v = node[part]
		case List:
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

// Column returns the value of one key of every item of a list.
func Column(v any, key string) []string {
	items, _ := v.(List)
	out := []string{}
	for _, item := range items {
		out = append(out, fmt.Sprint(Dig(item, key)))
	}
	return out
}

// Find returns the first item of a list whose key has the value, or nil.
func Find(v any, key, value string) Obj {
	items, _ := v.(List)
	for _, item := range items {
		if fmt.Sprint(Dig(item, key)) == value {
			o, _ := item.(Obj)
			return o
		}
	}
	return nil
}
