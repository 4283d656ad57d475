// Package otp makes and checks one-time codes of authenticator apps (RFC 6238) and recovery codes.
// The parameters of the codes are those that every app supports.
package otp

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"strings"
	"time"
)

const (
	step       = 30 // seconds
	secretSize = 20 // bytes
)

var plainBase32 = base32.StdEncoding.WithPadding(base32.NoPadding)

// NewSecret makes a shared secret.
func NewSecret() []byte {
	secret := make([]byte, secretSize)
	_, _ = rand.Read(secret) // never fails
	return secret
}

// Text returns a secret in the form that users type into an app.
func Text(secret []byte) string { return plainBase32.EncodeToString(secret) }

// URI returns the content of the QR code for an app.
func URI(account string, secret []byte) string {
	uri := url.URL{Scheme: "otpauth", Host: "totp", Path: "/Headless:" + account, RawQuery: url.Values{
		"secret": {Text(secret)}, "issuer": {"Headless"}, "algorithm": {"SHA1"}, "digits": {"6"},
		"period": {"30"},
	}.Encode()}
	return uri.String()
}

// code returns the code of a time step.
func code(secret []byte, step int64) string {
	mac := hmac.New(sha1.New, secret)
	_ = binary.Write(mac, binary.BigEndian, step) // a hash never fails
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 0xf
	return fmt.Sprintf("%06d", (binary.BigEndian.Uint32(sum[at:at+4])&0x7fffffff)%1_000_000)
}

// Matches returns the time step of a code. It accepts the current step and its two neighbours, but
// only steps after last. ok is false if the code matches none.
func Matches(secret []byte, text string, now time.Time, last int64) (at int64, ok bool) {
	current := now.Unix() / step
	for _, at := range []int64{current, current - 1, current + 1} {
		if at > last && hmac.Equal([]byte(code(secret, at)), []byte(text)) {
			return at, true
		}
	}
	return 0, false
}

// NewRecoveryCode makes a code that can be used once instead of the app. shown is the code as
// people read it.
func NewRecoveryCode() (plain, shown string) {
	raw := make([]byte, 10)
	_, _ = rand.Read(raw) // never fails
	plain = strings.ToLower(plainBase32.EncodeToString(raw))
	return plain, plain[:4] + "-" + plain[4:8] + "-" + plain[8:12] + "-" + plain[12:]
}
