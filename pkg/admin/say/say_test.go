package say_test

import (
	"testing"
	"time"

	"headless/pkg/admin/say"
)

// TestEnglish says each kind of text in the language of the messages.
func TestEnglish(t *testing.T) {
	at := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	for want, text := range map[string]say.Text{
		"":                                     say.Data(""),
		"Save":                                 "Save",
		"\x02Ada":                              say.Data("\x02Ada"),
		"Delete Ada {1}?":                      say.F("Delete {1}?", "Ada {1}"),
		"1 day":                                say.N(1, "{1} day", "{1} days"),
		"1,200 days of Ada":                    say.N(1200, "{1} day of {2}", "{1} days of {2}", "Ada"),
		"{{event}} in Save: 3":                 say.F("{{event}} in {1}: {2}", say.Text("Save"), 3),
		"1\u00a0Mar\u00a02026":                 say.Date(at),
		"Sunday, 1 March 2026":                 say.LongDate(at),
		"a, b":                                 say.Join([]say.Text{say.Data("a"), "b"}, ", "),
		"One. Two.":                            say.Sentences("One.", "", "Two."),
		"must be one of: draft, live":          say.Known("must be one of: draft, live"),
		"\x02 is no text of ours":              say.Known("\x02 is no text of ours"),
		"1\u00a0Mar\u00a02026, 09:30\u00a0UTC": say.Moment(at),
	} {
		if got := text.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestAccepted: the language that a browser prefers among those of the pages.
func TestAccepted(t *testing.T) {
	for header, want := range map[string]string{"": "en", "de": "de", "de-AT,de;q=0.9,en;q=0.8": "de", "pt-BR": "pt",
		"zh,ja;q=0.5": "ja", "tlh": "en", "ar-EG": "ar", "*": "en", "not a header;;": "en", "en-GB,de;q=0.9": "en",
		"*, de": "de", "!!!, de": "de", "en;Q=0.1, de": "de"} {
		if got := say.Accepted(header).Code; got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
}
