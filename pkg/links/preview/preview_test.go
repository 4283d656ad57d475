package preview

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/must"
)

const linkID = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c"

const id = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"

func TestToken(t *testing.T) {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	must.Do(t, err)
	other, _, err := ed25519.GenerateKey(rand.Reader)
	must.Do(t, err)
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
		must.Do(t, d.Decode(&body))
		got, err := Lifetime(body)
		if want == 0 && err == nil || want != 0 && (err != nil || got != want) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

func TestAddress(t *testing.T) {
	e := &cms.Entry{ID: id, Slug: "a/b c{token}", Locale: "en"}
	if got := Address("https://example.com/{locale}/{slug}?id={id}&t={token}", e,
		"T&"); got != "https://example.com/en/a%2Fb%20c%7Btoken%7D?id="+id+"&t=T%26" {
		t.Error(got)
	}
}

// TestPeek reads ahead only what the key has signed that verified a token before.
func TestPeek(t *testing.T) {
	keys := make([]ed25519.PrivateKey, 2)
	for i := range keys {
		var err error
		if _, keys[i], err = ed25519.GenerateKey(rand.Reader); err != nil {
			t.Fatal(err)
		}
	}
	before := lastKey.Load()
	defer lastKey.Store(before)
	site := Token{LinkID: linkID, ModelID: siteTokens, ID: linkID, Expires: time.Unix(1000, 0)}
	drafts, release, at, entry := site, site, site, site
	drafts.Revoked = ofDrafts
	release.Revoked, release.ID = ofRelease, id
	at.Revoked = time.Unix(2000, 0).UnixMicro()
	entry.ModelID, entry.ID = "m", id
	lastKey.Store(nil)
	if v, ok := Peek(drafts.Sign(keys[0])); ok {
		t.Errorf("without a key: %+v", v)
	}
	public := keys[0].Public().(ed25519.PublicKey)
	lastKey.Store(&public)
	for name, c := range map[string]struct {
		token Token
		want  View
		ok    bool
	}{"drafts": {drafts, View{Drafts: true}, true}, "release": {release, View{Release: id}, true},
		"time": {at, View{At: cms.Time{Time: time.Unix(2000, 0).UTC()}}, true}, "an entry": {entry, View{}, false},
		"of a former version": {site, View{}, false}} {
		if v, ok := Peek(c.token.Sign(keys[0])); ok != c.ok || !reflect.DeepEqual(v, c.want) {
			t.Errorf("%s: %+v, %v", name, v, ok)
		}
		if v, ok := Peek(c.token.Sign(keys[1])); ok {
			t.Errorf("%s, signed by another key: %+v", name, v)
		}
	}
}
