package say

import (
	"cmp"
	"encoding/json"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"headless/pkg/slice"
	"headless/pkg/web"
)

// Language is a language of the pages.
type Language struct {
	Code string // such as "de"
	Name string // in the language itself
	Dir  string // ltr or rtl
	dates

	tag     func() language.Tag
	load    func() catalogue
	numbers func() *message.Printer
}

// English is the language of the messages themselves. It needs no catalogue.
var English = newLanguage("en", "English", "ltr", english)

// Languages are the languages of the pages, English first.
var Languages = []*Language{
	English,
	newLanguage("de", "Deutsch", "ltr", german),
	newLanguage("fr", "Français", "ltr", french),
	newLanguage("es", "Español", "ltr", spanish),
	newLanguage("pt", "Português", "ltr", portuguese),
	newLanguage("ja", "日本語", "ltr", japanese),
	newLanguage("ar", "العربية", "rtl", arabic),
}

// newLanguage returns a language. Digits are Latin in every language, as data has them.
func newLanguage(code, name, dir string, d dates) *Language {
	l := &Language{Code: code, Name: name, Dir: dir, dates: d}
	l.tag = sync.OnceValue(func() language.Tag { return language.MustParse(code) })
	l.load = sync.OnceValue(l.readCatalogue)
	l.numbers = sync.OnceValue(func() *message.Printer {
		return message.NewPrinter(language.MustParse(code + "-u-nu-latn"))
	})
	return l
}

// Of returns the language with a code, nil if there is none.
func Of(code string) *Language {
	if i := slices.IndexFunc(Languages, func(l *Language) bool { return l.Code == code }); i >= 0 {
		return Languages[i]
	}
	return nil
}

var matcher = sync.OnceValue(func() language.Matcher {
	return language.NewMatcher(slice.Map(Languages, func(l *Language) language.Tag { return l.tag() }))
})

// Accepted returns the language that an Accept-Language header prefers, English by default.
func Accepted(header string) *Language {
	var tags []language.Tag
	for _, name := range web.Languages(header) {
		if tag, err := language.Parse(name); err == nil {
			tags = append(tags, tag)
		}
	}
	if len(tags) == 0 {
		return English
	}
	_, i, _ := matcher().Match(tags...)
	return Languages[i]
}

// catalogue holds the translations of a language.
type catalogue struct {
	entries  map[string]Entry
	patterns []pattern
}

// Entry is a translation: a text, or one for each plural form.
type Entry struct {
	Text  string
	Forms map[string]string
}

// UnmarshalJSON reads a string, or an object of plural forms.
func (e *Entry) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '{' {
		return json.Unmarshal(b, &e.Forms)
	}
	return json.Unmarshal(b, &e.Text)
}

// pattern is a message with placeholders, which a text of another package may fit. form is made at the
// first text that begins like it.
type pattern struct {
	start, key, text string
	form             func() (fits *regexp.Regexp, order []int) // order has the numbers of the placeholders
}

// leastLetters is how much of a message stands beside its placeholders at least. Shorter ones fit anything.
const leastLetters = 6

var holes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\d+\}`) })

var placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\\{(\d+)\\\}`) })

// formOf returns an expression for the texts that fit a message with placeholders.
func formOf(key string) (fits *regexp.Regexp, order []int) {
	expression := placeholder().ReplaceAllStringFunc(regexp.QuoteMeta(key), func(hole string) string {
		n, _ := strconv.Atoi(strings.Trim(hole, `\{}`)) // digits, as the expression wants
		order = append(order, n)
		return "(.+?)"
	})
	return regexp.MustCompile("(?s)^" + expression + "$"), order
}

// args returns the texts in place of the placeholders of the message, nil if s does not fit it.
func (p pattern) args(s string) []string {
	if !strings.HasPrefix(s, p.start) {
		return nil
	}
	re, order := p.form()
	found := re.FindStringSubmatch(s)
	if found == nil || len(order) == 0 {
		return nil
	}
	args := make([]string, slices.Max(order))
	for i, n := range order {
		args[n-1] = found[i+1]
	}
	return args
}

// Entries returns the translations of the language by message; none for English.
func (l *Language) Entries() map[string]Entry { return l.load().entries }

func (l *Language) readCatalogue() (c catalogue) {
	if l.Code == "en" {
		return c
	}
	body, err := fs.ReadFile(Files, "lang/"+l.Code+".json")
	if err == nil {
		err = json.Unmarshal(body, &c.entries)
	}
	if err != nil {
		panic(err) // a test reads every catalogue
	}
	for key, e := range c.entries {
		if l.Dir == "rtl" {
			e.Text = isolateCode(e.Text)
			c.entries[key] = e
		}
		start, _, found := strings.Cut(key, "{")
		letters := utf8.RuneCountInString(holes().ReplaceAllString(key, ""))
		if found && e.Text != "" && letters >= leastLetters {
			form := sync.OnceValues(func() (*regexp.Regexp, []int) { return formOf(key) })
			c.patterns = append(c.patterns, pattern{start, key, e.Text, form})
		}
	}
	// A longer beginning fits better.
	slices.SortFunc(c.patterns, func(a, b pattern) int {
		return cmp.Or(cmp.Compare(len(b.start), len(a.start)), cmp.Compare(len(b.key), len(a.key)), cmp.Compare(a.key,
			b.key))
	})
	return c
}

var asciiWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[!-~]+`) })

// isolateCode marks words such as /posts and image/* in a text from right to left: browsers would move the sign at the
// beginning or the end of such a word to its other side.
func isolateCode(text string) string {
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	return asciiWord().ReplaceAllStringFunc(text, func(word string) string {
		code := strings.Trim(word, `.,:;"()`)
		if !strings.ContainsFunc(code, unicode.IsLetter) || isWord(rune(code[0])) && isWord(rune(code[len(code)-1])) {
			return word
		}
		return strings.Replace(word, code, "\u2066"+code+"\u2069", 1)
	})
}

// translationOf returns the translation of a message, "" if there is none.
func (l *Language) translationOf(key string) string { return l.Entries()[key].Text }

// Say says a text in the language. What the catalogue lacks stays English.
func (l *Language) Say(t Text) string {
	if t == "" {
		return ""
	}
	rest := string(t[1:])
	switch t[0] {
	case isData:
		return rest
	case isKnown:
		return l.nameKeys(l.translateKnown(rest))
	case isFormat:
		parts := unpackParts(rest)
		return fillPlaceholders(l.message(string(parts[0])), l.inSentence(parts[1:]))
	case isCount:
		return l.pluralForm(unpackParts(rest))
	case isNumber:
		n, err := strconv.Atoi(rest)
		if err != nil || -1000 < n && n < 1000 {
			return rest
		}
		return l.numbers().Sprint(n)
	case isDate, isMoment, isLongDate, isShortDate:
		at, err := time.Parse(time.RFC3339, rest)
		if err != nil {
			return rest
		}
		return l.time(t[0], at)
	case isList:
		return strings.Join(l.inSentence(unpackParts(rest)), "")
	case isNamed:
		parts := unpackParts(rest)[1:]
		return strings.NewReplacer(l.inSentence(parts[1:])...).Replace(l.Say(parts[0]))
	}
	return l.message(string(t))
}

// noBreak are the spaces of dates that may not break at the end of a line.
var noBreak = strings.NewReplacer(" ", "\u00a0")

// time writes a date, or a date and a time in UTC. The spaces of each do not break.
func (l *Language) time(kind byte, t time.Time) string {
	switch kind {
	case isLongDate:
		return l.format(t, l.full)
	case isShortDate:
		return noBreak.Replace(l.format(t, l.short))
	}
	day := noBreak.Replace(l.format(t, l.medium))
	if kind == isDate {
		return day
	}
	return day + ", " + t.Format("15:04\u00a0UTC")
}

// Day writes the time in a text of RFC 3339. Templates put that text into the title, and pages.js shows
// the time in the zone of the reader. Other texts are returned as they are.
func (l *Language) Day(v any) string {
	s, ok := l.Any(v).(string)
	t, err := time.Parse(time.RFC3339, s)
	if !ok || err != nil {
		return s
	}
	return l.time(isMoment, t.UTC())
}

// Any says a value if it is a Text, and returns any other as it is.
func (l *Language) Any(v any) any {
	if t, ok := v.(Text); ok {
		return l.Say(t)
	}
	return v
}

// inSentence says texts that stand in a sentence of the language.
func (l *Language) inSentence(list []Text) []string {
	return slice.Map(list, func(t Text) string { return l.isolate(l.Say(t)) })
}

// isolate marks a name of Latin letters that stands in a sentence from right to left: browsers order
// signs and digits by the letters beside them. Web addresses stay as they are: mail programs take a mark
// after an address for a part of it.
func (l *Language) isolate(s string) string {
	isLatin := func(r rune) bool { return unicode.Is(unicode.Latin, r) }
	if l.Dir == "rtl" && strings.ContainsFunc(s, isLatin) && !strings.Contains(s, "://") {
		return "\u2068" + s + "\u2069"
	}
	return s
}

// pluralForm says the plural form for a number. parts are those of N.
func (l *Language) pluralForm(parts []Text) string {
	n, err := strconv.Atoi(string(parts[0]))
	if err != nil {
		return string(parts[2])
	}
	args := append([]string{l.Say(Number(n))}, l.inSentence(parts[3:])...)
	forms := l.Entries()[string(parts[2])].Forms
	if forms == nil {
		if n == 1 {
			return fillPlaceholders(string(parts[1]), args)
		}
		return fillPlaceholders(string(parts[2]), args)
	}
	text, ok := forms[l.formOf(n)]
	if !ok {
		text = forms["other"]
	}
	return fillPlaceholders(text, args)
}

// forms are the names of the plural forms in CLDR.
var forms = map[plural.Form]string{plural.Zero: "zero", plural.One: "one", plural.Two: "two",
	plural.Few: "few", plural.Many: "many", plural.Other: "other"}

func (l *Language) formOf(n int) string {
	return forms[plural.Cardinal.MatchPlural(l.tag(), max(n, -n), 0, 0, 0, 0)]
}

// message translates a message.
func (l *Language) message(key string) string { return cmp.Or(l.translationOf(key), key) }

// translateKnown translates what another package made in English: a message, or a text that fits one with
// placeholders.
func (l *Language) translateKnown(s string) string {
	if text := l.translationOf(s); text != "" {
		return text
	}
	for _, p := range l.load().patterns {
		if args := p.args(s); args != nil {
			for i, arg := range args {
				if strings.Contains(arg, " ") && !strings.Contains(p.key, `"{`+strconv.Itoa(i+1)+`}"`) {
					arg = l.translateKnown(arg) // a message inside another; text in quotes is data
				}
				args[i] = l.isolate(arg)
			}
			return fillPlaceholders(p.text, args)
		}
	}
	if of, why, ok := strings.Cut(s, ": "); ok { // such as a title and why its entry failed
		return l.isolate(of) + ": " + l.translateKnown(why)
	}
	return s
}

// KeyLabels has the label of a page for each key that messages name. Other packages write these messages, and programs
// read them too.
var KeyLabels = map[string]Text{
	"only_failed": "Only those that failed", "publish_at": "Publish at", "received_at": "Received",
	"require_totp": "Require a second factor", "shown_for": "has one of", "shown_if": "Shown if",
	"site.url": "Address of the site", "unpublish_at": "Unpublish at",
}

var keyPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[a-z]+([_.][a-z]+)+`) })

// nameKeys puts the labels that pages show in place of keys.
func (l *Language) nameKeys(text string) string {
	if !strings.ContainsAny(text, "_.") {
		return text
	}
	return keyPattern().ReplaceAllStringFunc(text, func(key string) string {
		if label := KeyLabels[key]; label != "" {
			return l.isolate(l.message(string(label)))
		}
		return key
	})
}

// fillPlaceholders replaces the placeholders of a message.
func fillPlaceholders(text string, args []string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		number, after, _ := strings.Cut(rest, "}")
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > len(args) {
			b.WriteString("{")
			text = rest
			continue
		}
		b.WriteString(args[n-1])
		text = after
	}
}
