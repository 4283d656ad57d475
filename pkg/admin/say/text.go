package say

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/pkg/slice"
)

// Text is a text of a page. A constant is a message in English, which each catalogue translates.
// Every other text is made by the functions of this package, and holds its parts until it is said
// in a language. The empty text is "".
type Text string

// A text that is no plain message starts with its kind. Its parts follow, each after its length.
const (
	isData      = '\x01' // the rest is shown as it is
	isFormat    = '\x02' // a message and the texts of its placeholders
	isCount     = '\x03' // a number, the messages for one and for more, and further placeholders
	isNumber    = '\x04'
	isDate      = '\x05'
	isMoment    = '\x06'
	isList      = '\x07' // texts one after the other
	isLongDate  = '\x08'
	isShortDate = '\x0b'
	isKnown     = '\x0c' // the rest is English of another package
	isNamed     = '\x0e' // a text, and keys that it names with their labels
)

// Data returns a text that is the same in every language, such as a name.
func Data(s string) Text {
	if s == "" {
		return ""
	}
	return Text(isData) + Text(s)
}

// IsData reports whether Data made a text, so that it may be in another language than the page.
func (t Text) IsData() bool { return t != "" && t[0] == isData }

// Known returns a text that another package made in English. It is translated if a catalogue has
// it, or has a message with placeholders that it fits.
func Known(s string) Text {
	if s == "" {
		return ""
	}
	return Text(isKnown) + Text(s)
}

// Named returns a text in which labels take the place of keys. A translation has the keys of the English text.
func Named(t Text, labels map[string]Text) Text {
	if len(labels) == 0 {
		return t
	}
	parts := []Text{t}
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		parts = append(parts, Data(key), labels[key])
	}
	return packParts(isNamed, "", parts...)
}

// YesNo says whether a box is checked.
func YesNo(yes bool) Text {
	if yes {
		return "Yes"
	}
	return "No"
}

// Role returns the name of a role, translated if the role is built in.
func Role(r cms.Role) Text {
	if r.Slug.IsBuiltin() {
		return Known(r.Name)
	}
	return Data(r.Name)
}

// KnownAll returns texts that another package made, with commas between them.
func KnownAll(list []string) Text {
	return Join(slice.Map(list, Known), ", ")
}

// F fills the placeholders {1}, {2} and so on of a message. An argument is a Text, a string (which
// is data), or an int.
func F(format Text, args ...any) Text { return packParts(isFormat, format, texts(args)...) }

// N returns one for the number 1, else other, as the plural forms of the language want it. {1} is
// the number, {2} and so on are the arguments, as for F.
func N(n int, one, other Text, args ...any) Text {
	return packParts(isCount, Text(strconv.Itoa(n)), append([]Text{one, other}, texts(args)...)...)
}

// Number returns a number with the digits and separators of the language.
func Number(n int) Text { return Text(isNumber) + Text(strconv.Itoa(n)) }

// Date returns a day.
func Date(t time.Time) Text { return Text(isDate) + Text(t.Format(time.RFC3339)) }

// LongDate returns a day with its weekday.
func LongDate(t time.Time) Text { return Text(isLongDate) + Text(t.Format(time.RFC3339)) }

// ShortDate returns a day without its year.
func ShortDate(t time.Time) Text { return Text(isShortDate) + Text(t.Format(time.RFC3339)) }

// Moment returns a day and the time in UTC.
func Moment(t time.Time) Text { return Text(isMoment) + Text(t.UTC().Format(time.RFC3339)) }

// Comma stands between the parts of a list.
const Comma Text = ", "

// Join puts texts after each other, with a text between them.
func Join(list []Text, between Text) Text {
	if len(list) == 0 {
		return ""
	}
	parts := list[1:]
	all := make([]Text, 0, 2*len(parts))
	for _, t := range parts {
		all = append(all, between, t)
	}
	return packParts(isList, list[0], all...)
}

// Sentences puts texts that are not empty after each other, with a space between them.
func Sentences(list ...Text) Text {
	return Join(slices.DeleteFunc(list, func(t Text) bool { return t == "" }), " ")
}

// String says the text in English.
func (t Text) String() string { return English.Say(t) }

// MarshalText says the text in English.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

func texts(args []any) []Text {
	list := make([]Text, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case Text:
			list[i] = arg
		case int:
			list[i] = Number(arg)
		case string:
			list[i] = Data(arg)
		}
	}
	return list
}

func packParts(kind byte, first Text, rest ...Text) Text {
	var b strings.Builder
	b.WriteByte(kind)
	for _, part := range append([]Text{first}, rest...) {
		b.WriteString(strconv.Itoa(len(part)))
		b.WriteByte(':')
		b.WriteString(string(part))
	}
	return Text(b.String())
}

// unpackParts returns the parts of a text that packed made.
func unpackParts(s string) (parts []Text) {
	for s != "" {
		length, rest, _ := strings.Cut(s, ":")
		n, err := strconv.Atoi(length)
		if err != nil || n > len(rest) {
			return parts
		}
		parts, s = append(parts, Text(rest[:n])), rest[n:]
	}
	return parts
}
