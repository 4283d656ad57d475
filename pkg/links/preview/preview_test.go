package preview

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
)

const linkID = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c"

const id = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"

func TestToken(t *testing.T) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	other, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1000, 0)
	made := Token{LinkID: linkID, ModelID: "m", ID: id, Expires: now.Add(time.Minute), Revoked: 3}
	text := made.Sign(private)
	if got, ok := Read(text, public, "m", now); !ok || got.ID != id || got.LinkID != linkID || got.Revoked != 3 ||
		!got.Expires.Equal(made.Expires) {
		t.Errorf("read %+v, %v", got, ok)
	}
	for name, valid := range map[string]func() bool{
		"expired":       func() bool { _, ok := Read(text, public, "m", made.Expires); return ok },
		"another model": func() bool { _, ok := Read(text, public, "n", now); return ok },
		"another key":   func() bool { _, ok := Read(text, other, "m", now); return ok },
		"no key": func() bool {
			_, ok := Read(text, nil, "m", now)
			return ok
		},
		"empty":   func() bool { _, ok := Read("", public, "m", now); return ok },
		"changed": func() bool { _, ok := Read("Z"+text[1:], public, "m", now); return ok },
		"longer":  func() bool { _, ok := Read(text+"A", public, "m", now); return ok },
	} {
		if valid() {
			t.Errorf("%s: the token holds", name)
		}
	}
}

func TestLasts(t *testing.T) {
	for text, want := range map[string]time.Duration{
		`{}`: time.Hour, `{"expires_in":null}`: time.Hour, `{"expires_in":1}`: time.Second,
		`{"expires_in":2592000}`: 30 * 24 * time.Hour,
		`{"expires_in":0}`:       0, `{"expires_in":-1}`: 0, `{"expires_in":2592001}`: 0,
		`{"expires_in":1.5}`: 0, `{"expires_in":"60"}`: 0, `{"other":1}`: 0,
	} {
		var body map[string]any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&body); err != nil {
			t.Fatal(err)
		}
		got, err := Lifetime(body)
		if want == 0 && err == nil || want != 0 && (err != nil || got != want) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

func TestAddress(t *testing.T) {
	e := &cms.Entry{ID: id, Slug: "a/b c{token}", Locale: "en"}
	if got := Address("https://example.com/{locale}/{slug}?id={id}&t={token}", e, "T&"); got != "https://example.com/en/a%2Fb%20c%7Btoken%7D?id="+id+"&t=T%26" {
		t.Error(got)
	}
}
