package ui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/say"
	"headless/pkg/cms"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// Anys converts strings to a JSON list.
func Anys(list []string) []any {
	return slice.Map(list, func(s string) any { return s })
}

// StatusBadge returns the status of an entry as a coloured badge.
func StatusBadge(s cms.Status) Cell {
	kind := cmp.Or(map[cms.Status]string{cms.StatusPublished: "good", cms.StatusDraft: "warn"}[s], "grey")
	return Cell{Text: say.Known(string(s)), Kind: kind}
}

// LocaleName returns the name of a locale, with its code if another has that name too; its code if it was deleted.
func LocaleName(now *site.Site, code string) say.Text {
	l := now.Locale(code)
	if l == nil {
		return say.Data(code)
	}
	if slices.ContainsFunc(now.Locales, func(o cms.Locale) bool { return o.Code != code && o.Name == l.Name }) {
		return say.Data(l.Name + " (" + code + ")")
	}
	return say.Data(l.Name)
}

// Options returns options with their values as labels.
func Options(values []string) []Option {
	return slice.Map(values, func(v string) Option { return Option{Value: v, Label: say.Data(v)} })
}

// OptionsWith returns options, and after them the stored values that are none of them any more. A form that lacked a
// stored value would remove it.
func OptionsWith(options []string, stored ...string) []Option {
	all := Options(options)
	for _, v := range stored {
		if v != "" && !slices.Contains(options, v) {
			all = append(all, Option{Value: v, Label: say.F("{1} (no longer an option)", v)})
		}
	}
	return all
}

// WithNone returns options after one that chooses none of them.
func WithNone(label say.Text, options []Option) []Option {
	return append([]Option{{Label: label}}, options...)
}

// ModelOptions returns models as options, by their slugs.
func ModelOptions(models []cms.Model) []Option {
	return slice.Map(models, func(m cms.Model) Option { return Option{Value: m.Slug, Label: say.Data(m.Name)} })
}

// LocaleOptions returns locales as options, by their codes.
func LocaleOptions(locales []cms.Locale) []Option {
	return slice.Map(locales, func(l cms.Locale) Option { return Option{Value: l.Code, Label: say.Data(l.Name)} })
}

// WordOptions returns keys as options whose labels are words, such as "Skip review" of skip_review.
func WordOptions[K ~string](keys []K) []Option {
	return slice.Map(keys, func(key K) Option {
		return Option{Value: string(key), Label: say.Known(Words(string(key)))}
	})
}

// Labels returns the label that the options have for each value, or the value if no option has it.
func Labels[V ~string](options []Option, values []V) []say.Text {
	return slice.Map(values, func(v V) say.Text {
		if at := slices.IndexFunc(options, func(o Option) bool { return o.Value == string(v) }); at >= 0 {
			return options[at].Label
		}
		return say.Data(string(v))
	})
}

// Badges returns a badge for each value.
func Badges(values []string) []Cell {
	return slice.Map(values, func(v string) Cell { return Badge(say.Data(v)) })
}

// InputTime formats a time for a date and time input, in UTC; "" for the zero time.
func InputTime(t cms.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05")
}

// Thumbnail returns the URL of a small variant of a picture, for screens with double density. It
// keeps the format of the file, which is made only once.
func Thumbnail(address string) string {
	return cms.VariantURL(address, "w=128&h=96&fit=cover")
}

// FormTime converts the value of a date and time input, in UTC, to a timestamp.
func FormTime(s string) string {
	if len(s) == len("2006-01-02T15:04") {
		return s + ":00Z"
	}
	if len(s) == len("2006-01-02T15:04:05") {
		return s + "Z"
	}
	return s
}

// SizeText formats a number of bytes for people, as Windows does: 1 KB is 1024 bytes.
func SizeText(n int64) string {
	units := []string{"B", "KB", "MB", "GB"}
	size, unit := float64(n), 0
	for size >= 1024 && unit < len(units)-1 {
		size, unit = size/1024, unit+1
	}
	return strings.TrimSuffix(strconv.FormatFloat(size, 'f', 1, 64), ".0") + " " + units[unit]
}

// Checkbox returns a field that sends true or false.
func Checkbox(name string, label say.Text, on bool) Field {
	f := Field{Name: name, Label: label, Kind: "checkbox", Value: "false"}
	if on {
		f.Value = "true"
	}
	return f
}

// Words makes "Entry draft saved" of the key "entry.draft_saved".
func Words(key string) string {
	words := strings.NewReplacer(".", " ", "_url", " URL", "_", " ").Replace(key)
	return strings.ToUpper(words[:min(1, len(words))]) + words[min(1, len(words)):] // keys are ASCII
}

// FirstRunes returns the first n characters of a text, with an ellipsis if it is longer.
func FirstRunes(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

// MimeWords says in a sentence which types of files are taken.
func MimeWords(mimes []string) say.Text {
	words := make([]say.Text, len(mimes))
	for i, mime := range mimes {
		family, kind, _ := strings.Cut(mime, "/")
		plural := map[string]say.Text{"image": "pictures", "video": "videos", "audio": "sounds",
			"text": "texts"}[family]
		switch {
		case kind == "*" && plural != "":
			words[i] = plural
		case family == "image":
			words[i] = say.F("{1} pictures", strings.ToUpper(strings.TrimSuffix(kind, "+xml")))
		default:
			words[i] = say.F("{1} files", strings.ToUpper(kind))
		}
	}
	return say.F("Takes {1}.", say.Join(words, ", "))
}
