package cms

import "testing"

func TestPathOf(t *testing.T) {
	hello := Place{ID: "1", Slug: "hello", Locale: "de-AT", Day: "2026-03-04"}
	english := Place{ID: "2", Slug: "hello", Locale: "en"}
	home := Place{ID: "3", Slug: "start", Locale: "de-AT"}
	below := Place{ID: "4", Slug: "jobs", Locale: "en", Above: []string{"start", "about"}}
	for _, test := range []struct {
		template string
		place    Place
		want     string
	}{
		{"", hello, ""},
		{"/{locale}/{slug}", hello, "/de-AT/hello"},
		{"https://b.example/{id}", hello, "https://b.example/1"},
		{"/{locale?}/{slug}", hello, "/de-AT/hello"},
		{"/{locale?}/{slug}", english, "/hello"},
		{"/{locale?}/{slug}", home, "/de-AT"},
		{"/{slug}", home, "/"},
		{"/pages/{slug}/", home, "/pages"},
		{"/pages/{slug}/", hello, "/pages/hello"},
		{"https://b.example/{slug}", home, "https://b.example/"},
		{"/p?id={id}&back=/", hello, "/p?id=1&back=/"},
		{"/{year}/{month}/{day}/{slug}", hello, "/2026/03/04/hello"},
		{"/{year}/{slug}", english, ""},
		{"/{locale?}/{path}", below, "/about/jobs"},
		{"/{path}", home, "/"},
	} {
		m := Model{URL: test.template, Home: "start"}
		if got := m.PathOf("en", test.place); got != test.want {
			t.Errorf("%q of %v: %q, want %q", test.template, test.place, got, test.want)
		}
	}
}
