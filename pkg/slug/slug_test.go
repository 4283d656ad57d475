package slug

import "testing"

func TestIn(t *testing.T) {
	for _, c := range []struct{ locale, title, want string }{
		{"de", "Kapitänsmützen & Öl", "kapitaensmuetzen-oel"},
		{"de-AT", "Straße", "strasse"},
		{"da", "Blå sølv", "blaa-soelv"},
		{"sv", "Blå träd", "bla-trad"},
		{"en", "Naïve café", "naive-cafe"},
	} {
		if got := In(c.locale, c.title); got != c.want {
			t.Errorf("%q in %s became %q, want %q", c.title, c.locale, got, c.want)
		}
	}
}
