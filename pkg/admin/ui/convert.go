package ui

import (
	"strconv"

	"headless/pkg/cms"
)

// Anys makes a JSON list of texts.
func Anys(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// StatusBadge is the status of an entry as a coloured word.
func StatusBadge(s cms.Status) Cell {
	kind := map[cms.Status]string{cms.StatusPublished: "good", cms.StatusDraft: "warn"}[s]
	if kind == "" {
		kind = "grey"
	}
	return Cell{Text: string(s), Kind: kind}
}

// Options are choices whose labels are their values.
func Options(values []string) []Option {
	list := make([]Option, len(values))
	for i, v := range values {
		list[i] = Option{v, v}
	}
	return list
}

// Badges are words in boxes.
func Badges(values []string) []Cell {
	cells := make([]Cell, len(values))
	for i, v := range values {
		cells[i] = Badge(v)
	}
	return cells
}

// InputTime is an instant as a browser's date and time field takes it, in UTC.
func InputTime(t cms.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05")
}

// Thumbnail is the address of a small variant of a picture, for screens of double density. It has
// the format of the file: the WebP of fm=auto is lossless, for a photo ten times as large.
func Thumbnail(address string) string { return address + "?w=128&h=96&fit=cover" }

// FormTime makes a timestamp of what a browser's date and time field sends, which is taken as UTC.
func FormTime(s string) string {
	if len(s) == len("2006-01-02T15:04") {
		return s + ":00Z"
	}
	if len(s) == len("2006-01-02T15:04:05") {
		return s + "Z"
	}
	return s
}

// SizeText writes a number of bytes for people.
func SizeText(n int64) string {
	units := []string{"B", "KiB", "MiB", "GiB"}
	size, unit := float64(n), 0
	for size >= 1024 && unit < len(units)-1 {
		size, unit = size/1024, unit+1
	}
	return strconv.FormatFloat(size, 'f', min(unit, 1), 64) + " " + units[unit]
}

// Checkbox is a field that sends true or false.
func Checkbox(name, label string, on bool) Field {
	f := Field{Name: name, Label: label, Kind: "checkbox", Value: "false"}
	if on {
		f.Value = "true"
	}
	return f
}

// FirstRunes is the beginning of a text, with at most n characters.
func FirstRunes(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
