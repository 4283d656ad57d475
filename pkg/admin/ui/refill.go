package ui

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"headless/pkg/admin/say"
	"headless/pkg/cms"
)

// Refill sets the posted values and the error messages of e in the fields. e is nil if there is no
// error.
func (f *Form) Refill(posted url.Values, e *cms.Error) {
	rest, left := cms.Problems{}, 0
	if e != nil && e.Code != cms.CodeApprovalRequired { // its details are for programs, and its message says it all
		labels := labelsOf(f.Fields, map[string]string{})
		var shown cms.Problems
		shown, left = FirstProblems(e.Details, MaxProblems)
		for path, messages := range shown {
			for _, m := range messages {
				rest[path] = append(rest[path], keyPattern().ReplaceAllStringFunc(m, func(key string) string {
					return cmp.Or(labels[key], key)
				}))
			}
		}
	}
	refillFields(f.Fields, posted, rest)
	// The form keeps the version that it was opened with, until the user is told that there is a
	// newer one.
	if f.Overtaken = e != nil && e.Code == cms.CodePreconditionFailed; !f.Overtaken &&
		posted.Has(VersionKey) {
		f.Version = posted.Get(VersionKey)
	}
	if e == nil {
		return
	}
	f.Problems = append(f.Problems, say.Known(e.Message))
	for _, path := range sortedPaths(rest) {
		for _, m := range rest[path] {
			f.Problems = append(f.Problems, say.F("{1} {2}", path, say.Known(m)))
		}
	}
	if left > 0 {
		f.More = MoreProblems(left)
	}
}

// keyPattern finds JSON keys of several words in messages. Shorter ones could be words. It is compiled on
// first use, as most pages need none.
var keyPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[a-z]+(_[a-z]+)+`) })

// labelsOf adds the labels of fields by name, so that messages about other fields name them as the form does.
func labelsOf(fields []Field, labels map[string]string) map[string]string {
	for _, f := range fields {
		labels[f.Name] = f.Label.String()
		labelsOf(f.Fields, labels)
	}
	return labels
}

// refillFields moves the messages that belong to a field from rest to the field. A message about a
// part of a value goes to the field of the value.
func refillFields(fields []Field, posted url.Values, rest cms.Problems) {
	for i := range fields {
		field := &fields[i]
		refillFields(field.Fields, posted, rest)
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
		if field.Name == "" {
			continue
		}
		for _, path := range sortedPaths(rest) {
			if path == field.Name || strings.HasPrefix(path, field.Name+".") {
				for _, m := range rest[path] {
					told := say.Known(m)
					if path != field.Name {
						told = say.F("{1}: {2}", field.part(path[len(field.Name)+1:]), told)
					}
					field.Errors = append(field.Errors, told)
				}
				delete(rest, path)
			}
		}
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
		return say.Join([]say.Text{say.F("no. {1}", n+1), say.Data(inner)}, " › ")
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
