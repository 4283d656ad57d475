// Package preview makes and reads the tokens of preview links (extensions §5).
package preview

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
)

const (
	defaultTime = time.Hour
	maxTime     = 30 * 24 * time.Hour
	idSize      = 16
	dataSize    = 2*idSize + 8 + 8
	tokenSize   = dataSize + ed25519.SignatureSize
)

// Token says which entry a link shows, and until when. Tokens are not stored; the row of their link
// says who made them.
type Token struct {
	LinkID      string
	ModelID, ID string
	Expires     time.Time // in whole seconds
	Revoked     int64     // how often tokens of the entry had been revoked when this one was created; see Peek
}

// Sign returns the signed text of a token.
func (t Token) Sign(key ed25519.PrivateKey) string {
	raw := t.data()
	return base64.RawURLEncoding.EncodeToString(append(raw, ed25519.Sign(key, t.message(raw))...))
}

// data returns the content of a token.
func (t Token) data() []byte {
	link, id := uuid.MustParse(t.LinkID), uuid.MustParse(t.ID)
	raw := append(append(make([]byte, 0, tokenSize), link[:]...), id[:]...)
	raw = binary.BigEndian.AppendUint64(raw, uint64(t.Expires.Unix()))
	return binary.BigEndian.AppendUint64(raw, uint64(t.Revoked))
}

// message returns the signed bytes: the data, and the id of the model, which the data does not
// hold.
func (t Token) message(data []byte) []byte {
	return append([]byte("preview\x00"+t.ModelID+"\x00"), data...)
}

// Read decodes a token, and reports whether it was signed with the key for the model and has not
// expired.
func Read(text string, key ed25519.PublicKey, modelID string, now time.Time) (Token, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) != tokenSize || len(key) == 0 {
		return Token{}, false
	}
	t := Token{
		LinkID:  uuid.UUID(raw[:idSize]).String(),
		ModelID: modelID, ID: uuid.UUID(raw[idSize : 2*idSize]).String(),
		Expires: time.Unix(int64(binary.BigEndian.Uint64(raw[2*idSize:])), 0),
		Revoked: int64(binary.BigEndian.Uint64(raw[2*idSize+8:])),
	}
	return t, ed25519.Verify(key, t.message(raw[:dataSize]), raw[dataSize:]) && now.Before(t.Expires)
}

// Lifetime returns expires_in of a body, in seconds; the default is one hour. Errors:
// VALIDATION_FAILED.
func Lifetime(body map[string]any) (time.Duration, error) {
	lifetime := defaultTime
	p := cms.Problems{}
	for key, v := range body {
		if key != "expires_in" {
			p.Add(key, "is not a known key")
			continue
		}
		if v == nil {
			continue
		}
		seconds, ok := cms.WholeNumber(v)
		if !ok || seconds < 1 || seconds > int64(maxTime/time.Second) {
			p.Add(key, "must be a whole number of seconds from 1 to %d", int64(maxTime/time.Second))
			continue
		}
		lifetime = time.Duration(seconds) * time.Second
	}
	return lifetime, p.Err()
}

// Address returns the preview_url of a model with its placeholders replaced. Every value is
// percent-encoded.
func Address(template string, e *cms.Entry, token string) string {
	escape := func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
	return strings.NewReplacer("{locale}", escape(e.Locale), "{slug}", escape(e.Slug), "{id}",
		escape(e.ID), "{token}", escape(token)).Replace(template)
}
