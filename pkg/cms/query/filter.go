package query

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/pkg/slice"
)

// Op is the operator of a filter (decisions §3).
type Op string

// The operators. Plain filter[name]=v is OpEq.
const (
	OpEq         Op = "eq"
	OpNe         Op = "ne"
	OpLt         Op = "lt"
	OpLte        Op = "lte"
	OpGt         Op = "gt"
	OpGte        Op = "gte"
	OpIn         Op = "in"
	OpNin        Op = "nin"
	OpContains   Op = "contains"
	OpStartsWith Op = "starts_with"
	OpNull       Op = "null"
)

// Ops lists every operator in the order of the documentation.
func Ops() []Op {
	return []Op{OpEq, OpNe, OpLt, OpLte, OpGt, OpGte, OpIn, OpNin, OpContains, OpStartsWith, OpNull}
}

// Filter is one condition on the entries of a list.
type Filter struct {
	Path   string
	Op     Op
	Values []string // one, or several for in and nin
}

// maxText is the maximum length of all filters of a list together, in characters (decisions §3).
const maxText = 3500

// CheckLength returns BAD_REQUEST if the filters among query parameters have too many characters together.
func CheckLength(params url.Values) error {
	size := 0
	for name, values := range params {
		if strings.HasPrefix(name, "filter[") {
			for _, value := range values {
				size += utf8.RuneCountInString(name) + utf8.RuneCountInString(value)
			}
		}
	}
	if size > maxText {
		return cms.Errorf(cms.CodeBadRequest, "The filters have more than %d characters.", maxText)
	}
	return nil
}

// ParseFilter reads a query parameter such as filter[data.author.city][gte]=v. The values of in and
// nin are split at commas. Check the path with ValidateFilter. Errors: BAD_REQUEST for a malformed
// key or an unknown operator.
func ParseFilter(key, value string) (Filter, error) {
	path, op, err := ParseFilterKey(key)
	if err != nil {
		return Filter{}, err
	}
	if path == cms.ColumnParent && value == "null" && (op == OpEq || op == OpNe) { // the root of a tree
		op, value = OpNull, strconv.FormatBool(op == OpEq)
	}
	f := Filter{Path: path, Op: op, Values: []string{value}}
	if op == OpIn || op == OpNin {
		f.Values = strings.Split(value, ",")
	}
	return f, nil
}

// ParseFilterKey splits the name of a parameter, filter[path] or filter[path][op], into its parts.
// Errors: BAD_REQUEST.
func ParseFilterKey(key string) (path string, op Op, err error) {
	inner, ok := strings.CutPrefix(key, "filter[")
	path, rest, closed := strings.Cut(inner, "]")
	if !ok || !closed || path == "" || strings.Contains(path, "[") {
		return "", "", cms.Errorf(cms.CodeBadRequest,
			"%q is not a filter: write filter[name]=value or filter[name][operator]=value.",
			cms.Shorten(key))
	}
	if rest == "" {
		return path, OpEq, nil
	}
	if len(rest) < 2 || rest[0] != '[' || rest[len(rest)-1] != ']' ||
		!slices.Contains(Ops(), Op(rest[1:len(rest)-1])) {
		return "", "", cms.Errorf(cms.CodeBadRequest, "Unknown filter operator in %q. Known: %s.",
			cms.Shorten(key), joinOps(Ops()))
	}
	return path, Op(rest[1 : len(rest)-1]), nil
}

func joinOps(ops []Op) string {
	return strings.Join(slice.Map(ops, func(op Op) string { return string(op) }), ", ")
}

// opsOf lists the operators that apply to a kind of value.
func opsOf(kind cms.ValueKind) []Op {
	switch kind {
	case cms.ValueBool, cms.ValueNumber, cms.ValueTime: // false comes before true, as in a sort
		return []Op{OpEq, OpNe, OpLt, OpLte, OpGt, OpGte, OpIn, OpNin, OpNull}
	case cms.ValueObject:
		return []Op{OpNull}
	}
	return Ops()
}

// ValidateFilter checks a filter against the model. Errors: BAD_REQUEST for an unknown path, an
// operator that the field does not support, and a value of the wrong kind. The message names the
// fault and lists what is allowed.
func ValidateFilter(m *cms.Model, f Filter) error {
	if m.Tree && f.Path == cms.FilterAncestor { // see search.List
		if f.Op != OpEq {
			return cms.Errorf(cms.CodeBadRequest, "filter[ancestor] takes one id and no operator.")
		}
		return nil
	}
	info, ok := m.Lookup(f.Path)
	if !ok {
		return cms.UnknownName("filter", f.Path, m.FilterPaths()...)
	}
	return f.Check(info.Kind)
}

// Check checks the operator and the values against the kind of the path. Errors are those of
// ValidateFilter.
func (f Filter) Check(kind cms.ValueKind) error {
	if ops := opsOf(kind); !slices.Contains(ops, f.Op) {
		return cms.Errorf(cms.CodeBadRequest, "The filter %q does not take the operator %q. Known: %s.",
			cms.Shorten(f.Path), cms.Shorten(string(f.Op)), joinOps(ops))
	}
	for _, s := range f.Values {
		if f.Op == OpNull {
			if s != "true" && s != "false" {
				return cms.Errorf(cms.CodeBadRequest,
					"The filter %q with null takes true or false, not %q.", cms.Shorten(f.Path),
					cms.Shorten(s))
			}
		} else if _, ok := ParseValue(kind, s); !ok {
			return cms.Errorf(cms.CodeBadRequest, "The filter %q takes %s, not %q.", cms.Shorten(f.Path),
				wantedKind(kind), cms.Shorten(s))
		}
	}
	return nil
}

func wantedKind(kind cms.ValueKind) string {
	switch kind {
	case cms.ValueBool:
		return "true or false"
	case cms.ValueNumber:
		return "a number"
	}
	return "a date such as 2026-01-31 or a timestamp such as 2026-01-31T12:00:00Z"
}

// ParseValue parses the text of a filter as a value of a kind. Texts, ids (in either case) and
// ValueAny are read as text, which always succeeds. In a timestamp, a blank counts as a plus sign, since
// query strings decode "+" to a blank.
func ParseValue(kind cms.ValueKind, s string) (Value, bool) {
	switch kind {
	case cms.ValueBool:
		return Value{Kind: cms.ValueBool, Bool: s == "true"}, s == "true" || s == "false"
	case cms.ValueNumber:
		d, ok := ParseDecimal(s)
		return Value{Kind: cms.ValueNumber, Number: d}, ok
	case cms.ValueTime:
		t, ok := parseTime(strings.ReplaceAll(s, " ", "+"))
		return Value{Kind: cms.ValueTime, Time: t}, ok
	case cms.ValueID:
		s = strings.ToLower(s)
	}
	return Value{Kind: cms.ValueText, Text: s}, true
}

// filterText returns a JSON value as text for a query parameter.
func filterText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case json.Number:
		return v.String()
	case []any:
		return strings.Join(slice.Map(v, filterText), ",")
	}
	return fmt.Sprint(v)
}

// FilterParams returns filters in JSON as query parameters: values, or operators with values, by path. null asks for
// missing values, and an object without operators is refused when it is parsed: it would choose everything.
func FilterParams(filters map[string]any) url.Values {
	params := url.Values{}
	for path, v := range filters {
		name := "filter[" + path + "]"
		switch v := v.(type) {
		case map[string]any:
			if len(v) == 0 {
				params.Set(name+"[]", "")
			}
			for op, value := range v {
				if value == nil && (op == string(OpEq) || op == string(OpNe)) {
					params.Set(name+"[null]", strconv.FormatBool(op == string(OpEq)))
				} else {
					params.Set(name+"["+op+"]", filterText(value))
				}
			}
		case nil:
			params.Set(name+"[null]", "true")
		default:
			params.Set(name, filterText(v))
		}
	}
	return params
}

// Take splits filters into those on a path and the rest.
func Take(filters []Filter, path string) (taken, rest []Filter) {
	for _, f := range filters {
		if f.Path == path {
			taken = append(taken, f)
		} else {
			rest = append(rest, f)
		}
	}
	return taken, rest
}
