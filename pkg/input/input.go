package input

import (
	"encoding/json"
	"errors"
	"net/netip"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
)

// IsPlain reports whether a text is valid UTF-8 and has neither white space nor control characters.
func IsPlain(s string) bool {
	return utf8.ValidString(s) &&
		!strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
}

// CanonicalID returns the stored form of an id; ok is false for anything except a UUID in its
// hyphenated form.
func CanonicalID(id string) (string, bool) {
	parsed, err := uuid.Parse(id)
	return parsed.String(), err == nil && len(id) == 36
}

// readOnly are keys of every resource that a body may have, so that clients can send back what they
// read. They are ignored.
var readOnly = []string{"id", "created_at", "updated_at", "version"}

// Decode reads a body into a struct T with JSON tags. A missing key leaves its field zero, nil for a
// pointer. null clears: it sets texts, lists and objects to their zero value, and a pointer to a pointer
// to nil; for numbers and booleans it counts as missing. Every unknown key and wrong type is reported.
// ignore lists further read-only keys beside id, created_at, updated_at and version.
func Decode[T any](body map[string]any, ignore ...string) (in T, problems cms.Problems) {
	problems = Apply(body, &in, ignore...)
	return in, problems
}

// Apply is Decode for a body that changes v: a missing key leaves its field as it is. A body may change all
// fields of v that have a key, except the read-only ones.
func Apply[T any](body map[string]any, v *T, ignore ...string) cms.Problems {
	d := inputDecoder{cms.Problems{}}
	rest := make(map[string]any, len(body))
	for key, v := range body {
		if !slices.Contains(readOnly, key) && !slices.Contains(ignore, key) {
			rest[key] = v
		}
	}
	d.readKeys("", rest, reflect.ValueOf(v).Elem())
	return d.p
}

type inputDecoder struct{ p cms.Problems }

func (d inputDecoder) readKeys(path string, object map[string]any, dst reflect.Value) {
	fields := map[string]int{}
	for i := range dst.NumField() {
		name, _, _ := strings.Cut(dst.Type().Field(i).Tag.Get("json"), ",")
		fields[name] = i
	}
	for key, v := range object {
		if i, ok := fields[key]; ok && key != "" && key != "-" {
			d.readValue(join(path, key), v, dst.Field(i))
		} else {
			d.p.Add(join(path, key), "is not a known field")
		}
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func (d inputDecoder) readValue(path string, v any, dst reflect.Value) {
	if form, ok := v.(FormValue); ok {
		if v, ok = d.fromForm(path, form, dst.Type()); !ok {
			return
		}
	}
	if dst.Kind() == reflect.Pointer {
		elem := dst.Type().Elem()
		if v == nil && isPlain(elem.Kind()) {
			return
		}
		target, before := reflect.New(elem), len(d.p[path])
		if v != nil {
			d.readValue(path, v, target.Elem())
		}
		if len(d.p[path]) == before { // an unreadable value counts as missing, so that it gets only one problem
			dst.Set(target)
		}
		return
	}
	if v == nil {
		if !isPlain(dst.Kind()) {
			dst.SetZero()
		}
		return
	}
	if dst.Type() == reflect.TypeFor[cms.Time]() {
		d.time(path, v, dst)
		return
	}
	switch dst.Kind() {
	case reflect.Interface:
		dst.Set(reflect.ValueOf(v))
	case reflect.String:
		if s, ok := v.(string); ok {
			dst.SetString(s)
		} else {
			d.p.Add(path, "must be a string")
		}
	case reflect.Bool:
		if b, ok := v.(bool); ok {
			dst.SetBool(b)
		} else {
			d.p.Add(path, "must be true or false")
		}
	case reflect.Int, reflect.Int64, reflect.Float64:
		d.readNumber(path, v, dst)
	case reflect.Slice:
		d.list(path, v, dst)
	case reflect.Map, reflect.Struct:
		d.readObject(path, v, dst)
	default:
		panic("input: input of a type that cannot be decoded: " + dst.Type().String())
	}
}

// isPlain reports whether null for a value of the kind counts as missing.
func isPlain(k reflect.Kind) bool {
	return k == reflect.Bool || k == reflect.Int || k == reflect.Int64 || k == reflect.Float64
}

func (d inputDecoder) time(path string, v any, dst reflect.Value) {
	s, ok := v.(string)
	t, valid := cms.ParseDateTime(s)
	switch {
	case ok && s == "":
		dst.Set(reflect.ValueOf(cms.Time{}))
	case ok && valid:
		dst.Set(reflect.ValueOf(cms.At(t)))
	default:
		d.p.Add(path, "must be a timestamp of the form 2026-01-31T12:00:00Z")
	}
}

func (d inputDecoder) readNumber(path string, v any, dst reflect.Value) {
	number, _ := v.(json.Number)
	f, err := number.Float64()
	n, whole := cms.WholeNumber(v)
	switch {
	case err != nil:
		d.p.Add(path, "must be a number")
	case dst.Kind() == reflect.Float64:
		dst.SetFloat(f)
	case !whole:
		d.p.Add(path, "must be a whole number")
	default:
		dst.SetInt(n)
	}
}

func (d inputDecoder) list(path string, v any, dst reflect.Value) {
	items, ok := v.([]any)
	if !ok {
		d.p.Add(path, "must be a list")
		return
	}
	out := reflect.MakeSlice(dst.Type(), len(items), len(items))
	for i, item := range items {
		at := path + "." + strconv.Itoa(i)
		if item == nil {
			d.p.Add(at, "cannot be null")
			continue
		}
		d.readValue(at, item, out.Index(i))
	}
	dst.Set(out)
}

// readObject reads an object into a struct or a map.
func (d inputDecoder) readObject(path string, v any, dst reflect.Value) {
	object, ok := v.(map[string]any)
	if !ok {
		d.p.Add(path, "must be an object")
		return
	}
	if dst.Kind() == reflect.Struct {
		dst.SetZero()
		d.readKeys(path, object, dst)
		return
	}
	out := reflect.MakeMapWithSize(dst.Type(), len(object))
	for key, item := range object {
		value := reflect.New(dst.Type().Elem()).Elem()
		d.readValue(join(path, key), item, value)
		out.SetMapIndex(reflect.ValueOf(key), value)
	}
	dst.Set(out)
}

// Given returns the value of an input, or the fallback if it was not sent.
func Given[T any](p *T, fallback T) T {
	if p == nil {
		return fallback
	}
	return *p
}

// CheckName reports a name that does not have 1 to 255 characters.
func CheckName(p cms.Problems, name string) {
	p.Require("name", name)
	p.LimitLength("name", name, MaxName)
}

// MaxName is the maximum length of names, in characters (decisions §9).
const MaxName = 255

// ShownName returns up to most characters of a name, without those that cannot be seen, such as those that turn the
// direction of a text.
func ShownName(name string, most int) string {
	name = strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, "")))
	r := []rune(name)
	return string(r[:min(len(r), most)])
}

// NotFound replaces db.ErrNotFound by an error for clients. noun names the thing, such as "file".
func NotFound(err error, noun string) error {
	if errors.Is(err, db.ErrNotFound) {
		return cms.Errorf(cms.CodeNotFound, "There is no such %s.", noun)
	}
	return err
}

// Network returns the network by which a client is counted: its IPv4 address, or its /64 in IPv6,
// since every client has at least a /64.
func Network(a netip.Addr) string {
	if a.Is6() {
		return netip.PrefixFrom(a.WithZone(""), 64).Masked().String()
	}
	return a.String()
}

// Precondition checks the stored value before a change; its error aborts the change. A nil
// Precondition always passes. It runs again on every retry, with the value that the retry has read.
type Precondition[T any] func(stored T) error

func (ok Precondition[T]) Check(stored T) error {
	if ok == nil {
		return nil
	}
	return ok(stored)
}
