package upload

import (
	"mime"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCleanName(t *testing.T) {
	tests := []struct{ name, want string }{
		{"photo.jpg", "photo.jpg"},
		{"Äpfel und Birnen.png", "Äpfel und Birnen.png"},
		{"写真.jpg", "写真.jpg"},
		{"صورة.png", "صورة.png"},
		{"👩‍👩‍👧.gif", "👩‍👩‍👧.gif"}, // joined by U+200D
		{"../../etc/passwd", "passwd"},
		{`C:\Users\me\a.png`, "a.png"},
		{`a/b\c.png`, "c.png"},
		{"/", "file"},
		{"", "file"},
		{"..", "file"},
		{" . ", "file"},
		{"...", "file"},
		{".htaccess", ".htaccess"},
		{"a\r\nSet-Cookie: x=1.png", "aSet-Cookie: x=1.png"},
		{"a\x00.png", "a.png"},
		{"a\u0085b\u2028c\u2029.png", "abc.png"},
		{"photo\u202egpj.exe", "photogpj.exe"},
		{"\u2066a\u2069.png\ufeff", "a.png"},
		{"a\xff\xfe.png", "a.png"},
		{"  a.png  ", "a.png"},
		{`a";b='c'<d>.png`, `a";b='c'<d>.png`},
		{strings.Repeat("ä", 300) + ".jpeg", strings.Repeat("ä", 250) + ".jpeg"},
		{strings.Repeat("a", 300), strings.Repeat("a", 255)},
		{strings.Repeat("a", 255), strings.Repeat("a", 255)},
		{"a." + strings.Repeat("b", 300), "a." + strings.Repeat("b", 253)},
		{strings.Repeat("a", 8<<20) + ".png", strings.Repeat("a", 251) + ".png"},
	}
	for _, test := range tests {
		got := CleanName(test.name)
		if got != test.want {
			t.Errorf("CleanName(%q) = %q, want %q", test.name, got, test.want)
		}
		if again := CleanName(got); again != got {
			t.Errorf("CleanName(%q) = %q", got, again)
		}
	}
}

func TestDisposition(t *testing.T) {
	tests := []struct{ name, want string }{
		{"a.png", "inline; filename=a.png"},
		{"a b.png", `inline; filename="a b.png"`},
		{`a"b\.png`, `inline; filename="a\"b\\.png"`},
		{"Äpfel.png", "inline; filename*=utf-8''%C3%84pfel.png"},
		{"a\r\nX: y", "inline; filename*=utf-8''a%0D%0AX%3A%20y"}, // not a name that CleanName gives
	}
	for _, test := range tests {
		if got := Disposition(test.name); got != test.want {
			t.Errorf("Disposition(%q) = %q", test.name, got)
		}
	}
	long := Disposition(strings.Repeat("写", 255) + ".png")
	_, parameters, err := mime.ParseMediaType(long)
	if err != nil || len(long) > 700 || !strings.HasSuffix(parameters["filename"], "写.png") {
		t.Errorf("%d bytes, %v", len(long), err)
	}
}

func FuzzCleanName(f *testing.F) {
	f.Add("a/b\\c\r\n\u202e.png")
	f.Add(strings.Repeat("ä", 300) + ".jpeg")
	f.Fuzz(func(t *testing.T, name string) {
		got := CleanName(name)
		if got == "" || !utf8.ValidString(got) || utf8.RuneCountInString(got) > MaxNameChars ||
			strings.ContainsAny(got, "/\\\r\n\x00") {
			t.Errorf("%q", got)
		}
		header := Disposition(got)
		if header == "" || len(header) > 700 ||
			strings.ContainsFunc(header, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("%q: %q", got, header)
		}
	})
}
