package passwords

import (
	"strings"
	"testing"
)

func TestRefusal(t *testing.T) {
	const email = "Ada.Lovelace@Example.com"
	for password, refused := range map[string]bool{
		"correct horse battery": false, "eleven char": true, "twelve chars": false, strings.Repeat("long", 126): true,
		"aaaaaaaaaaaa": true, "passwordpassword": true, "PasswordPassword": true, "123456789012": true, "1Q2w3E4r5T6y": true,
		"qwertyqwertyqwerty": true, "123456123456": true, "passwordpassworx": false, "🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂": false,
		"my ada.lovelace 1": true, "x ada.lovelace@example.com": true, "lovelace and more": false,
	} {
		if got := Refusal(password, email); got != "" != refused {
			t.Errorf("%q: %q", password, got)
		}
	}
	if got := Refusal("a long ada password", "ada@example.com"); got != "" {
		t.Errorf("a local part of three characters: %q", got)
	}
	if got := Refusal("a long ada password", "ada"); got != "" {
		t.Errorf("what is no address: %q", got)
	}
	if n := len(common()); n != 10_000 {
		t.Errorf("the list has %d passwords", n)
	}
}
