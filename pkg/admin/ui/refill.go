package ui

import (
	"cmp"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"headless/pkg/admin/say"
	"headless/pkg/cms"
)

// Refill sets the posted values and the error messages of e in the fields. e is nil if there is no
// error: then the form also gets inputs with the words that it has no field for any more.
func (f *Form) Refill(posted url.Values, e *cms.Error) {
	rest, left := cms.Problems{}, 0
	if e != nil && e.Code != cms.CodeApprovalRequired { // its details are for programs, and its message says it all
		rest, left = FirstProblems(e.Details, MaxProblems)
	}
	labels := labelsOf(f.Fields, map[string]say.Text{})
	refillFields(f.Fields, posted, rest, labels)
	// The form keeps the version that it was opened with, until the user is told that there is a
	// newer one.
	if f.Overtaken = e != nil && e.Code == cms.CodePreconditionFailed; !f.Overtaken && posted.Has(VersionKey) {
		f.Version = posted.Get(VersionKey)
	}
	stray := strayTexts(f.Fields, posted)
	if e == nil {
		f.Fields = append(f.Fields, stray...)
		return
	}
	f.Stray = stray
	f.Problems = append(f.Problems, named(e.Message, labels))
	for _, path := range sortedPaths(rest) {
		for _, m := range rest[path] {
			f.Problems = append(f.Problems, say.F("{1} {2}", path, named(m, labels)))
		}
	}
	if left > 0 {
		f.More = MoreProblems(left)
	}
}

// strayTexts returns the words in posted values that no field shows: somebody removed the field, or its language, since
// the form was opened.
func strayTexts(fields []Field, posted url.Values) (stray []Field) {
	shown := map[string]bool{}
	addNames(shown, fields)
	for _, name := range slices.Sorted(maps.Keys(posted)) {
		if text := posted.Get(name); IsWords(text) && !shown[withoutRows(name)] && !strings.Contains("."+name, "._") &&
			!slices.Contains(posted[SecretKey], name) {
			stray = append(stray, Field{Name: name, Label: say.Data(strings.TrimPrefix(name, "data.")), Kind: "textarea",
				Value: text, Errors: []say.Text{say.Known("is not a known field")}})
		}
	}
	return stray
}

func addNames(shown map[string]bool, fields []Field) {
	for _, f := range fields {
		shown[withoutRows(f.Name)] = true
		addNames(shown, f.Fields)
	}
}

// withoutRows returns the name of an input without the numbers of rows, which a step may have changed.
func withoutRows(name string) string {
	parts := strings.Split(name, ".")
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool {
		_, err := strconv.Atoi(part)
		return err == nil
	}), ".")
}

// IsWords reports whether a value may be typed words: it has letters, and is neither an id nor a yes or no.
func IsWords(text string) bool {
	return strings.ContainsFunc(text, unicode.IsLetter) && !cms.IsUUID(text) && text != "true" && text != "false"
}

// keyPattern finds JSON keys of several words in messages. Shorter ones could be words. It is compiled on
// first use, as most pages need none.
var keyPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[a-z]+(_[a-z]+)+`) })

// named returns a message in which fields have the labels that the form shows.
func named(message string, labels map[string]say.Text) say.Text {
	found := map[string]say.Text{}
	for _, key := range keyPattern().FindAllString(message, -1) {
		if label := labels[key]; label != "" {
			found[key] = label
		}
	}
	return say.Named(say.Known(message), found)
}

// labelsOf adds the labels of fields and of choices by their keys, which are the last parts of the names of inputs.
func labelsOf(fields []Field, labels map[string]say.Text) map[string]say.Text {
	for _, f := range fields {
		labels[f.Name[strings.LastIndex(f.Name, ".")+1:]] = f.Label
		for _, o := range f.Options {
			labels[o.Value] = o.Label
		}
		labelsOf(f.Fields, labels)
	}
	return labels
}

// refillFields moves the messages that belong to a field from rest to the field. A message about a
// part of a value goes to the field of the value.
func refillFields(fields []Field, posted url.Values, rest cms.Problems, labels map[string]say.Text) {
	for i := range fields {
		field := &fields[i]
		refillFields(field.Fields, posted, rest, labels)
		if v, ok := posted[field.Name]; ok && !field.Kept && !field.IsSecret() && field.Kind != "file" {
			field.Value = v[len(v)-1]
			field.Values = nil
			if field.Kind == "checks" {
				field.Value, field.Values = "", v
			}
		}
		// Open collapsed fields with errors.
		if field.Kind == "more" && hasErrors(field.Fields) {
			field.Value = "open"
		}
		if field.Name != "" {
			field.takeErrors(rest, labels)
		}
	}
}

// takeErrors moves the messages about the field and its parts from rest to the field.
func (f *Field) takeErrors(rest cms.Problems, labels map[string]say.Text) {
	for _, path := range sortedPaths(rest) {
		part, ok := strings.CutPrefix(path+".", f.Name+".")
		if !ok {
			continue
		}
		for _, m := range rest[path] {
			told := named(m, labels)
			if part != "" {
				told = say.F("{1}: {2}", f.part(strings.TrimSuffix(part, ".")), told)
			}
			f.Errors = append(f.Errors, told)
		}
		delete(rest, path)
	}
}

// part describes a part of the value of the field. Lines are counted from 1, including empty ones.
func (f *Field) part(path string) say.Text {
	row, inner, deeper := strings.Cut(path, ".")
	n, err := strconv.Atoi(row)
	if err != nil {
		return say.Data(path)
	}
	if deeper { // of a row that the form does not show
		label := labelsOf(f.Fields, map[string]say.Text{})[inner]
		return say.Join([]say.Text{say.F("no. {1}", n+1), cmp.Or(label, say.Data(inner))}, " › ")
	}
	if f.Kind == "lines" {
		for i, line := range strings.Split(f.Value, "\n") {
			if strings.TrimSpace(line) == "" {
				continue
			}
			if n--; n < 0 {
				return say.F("line {1}", i+1)
			}
		}
	}
	return say.F("no. {1}", n+1)
}

// Mistakes returns a link to each field for each of its errors.
func (f *Form) Mistakes() []Link { return errorLinks(f.Fields, "") }

func errorLinks(fields []Field, above say.Text) []Link {
	var links []Link
	for _, f := range fields {
		label := say.Join([]say.Text{above, f.Label}, "")
		for _, m := range f.Errors {
			links = append(links, Link{say.F("{1}: {2}", label, m), "#f-" + f.Name})
		}
		if f.Label != "" {
			label = say.F("{1} › ", label)
		}
		links = append(links, errorLinks(f.Fields, label)...)
	}
	return links
}

func hasErrors(fields []Field) bool {
	return slices.ContainsFunc(fields, func(f Field) bool { return len(f.Errors) > 0 || hasErrors(f.Fields) })
}
