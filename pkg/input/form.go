package input

import (
	"encoding/json"
	"net/url"
	"reflect"
	"strings"

	"headless/pkg/cms"
)

// FormValue has the values of one field of an HTML form, in order. Decode converts it to the type
// of the field: the last value, a list, one value per line, or JSON text.
type FormValue []string

// Last returns the last value, "" if there is none. A checkbox sends its value after the value of a
// hidden field that means "off".
func (v FormValue) Last() string {
	if len(v) == 0 {
		return ""
	}
	return v[len(v)-1]
}

// FromForm converts an HTML form to a body. A dotted name is a key inside an object, of at most cms.MaxDepth
// levels as in JSON: a key may have the dots of deeper ones. Names that start with an underscore (_method,
// _csrf) belong to the admin area and are left out.
func FromForm(values url.Values) map[string]any {
	body := map[string]any{}
	for name, v := range values {
		if strings.HasPrefix(name, "_") {
			continue
		}
		object := body
		for range cms.MaxDepth - 1 {
			first, rest, deeper := strings.Cut(name, ".")
			if !deeper {
				break
			}
			inner, ok := object[first].(map[string]any)
			if !ok {
				inner = map[string]any{}
				object[first] = inner
			}
			object, name = inner, rest
		}
		for i := range v {
			v[i] = strings.ReplaceAll(v[i], "\r\n", "\n") // browsers send CRLF
		}
		object[name] = FormValue(v)
	}
	return body
}

// fromForm converts the values of an HTML form to the JSON value of a field of type t; ok is false
// if that is not possible.
func (d inputDecoder) fromForm(path string, form FormValue, t reflect.Type) (any, bool) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	last := form.Last()
	switch {
	case t == reflect.TypeFor[cms.Time]() || t.Kind() == reflect.String:
		return last, true
	case t.Kind() == reflect.Bool:
		switch last {
		case "true", "on", "1": // a box without a value sends on
			return true, true
		case "false", "off", "0", "":
			return false, true
		}
		return last, true // which is reported
	case isPlain(t.Kind()):
		if last = strings.TrimSpace(last); last == "" {
			return nil, true
		}
		return json.Number(last), true
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String:
		return formLines(form), true
	}
	if strings.TrimSpace(last) == "" {
		return nil, true
	}
	v, err := cms.DecodeJSON([]byte(last))
	if err != nil {
		d.p.Add(path, "must be valid JSON")
		return nil, false
	}
	return v, true
}

// formLines returns the lines of all values, without empty ones.
func formLines(form FormValue) []any {
	list := []any{}
	for _, v := range form {
		for line := range strings.Lines(v) {
			if line = strings.TrimSpace(line); line != "" {
				list = append(list, line)
			}
		}
	}
	return list
}
