// Package passkeytest has a software authenticator, for tests of passkeys (WebAuthn).
package passkeytest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
)

// Device is an authenticator with one passkey.
type Device struct {
	ID       []byte
	Origin   string // of the page that requests a signature
	Host     string // that the passkey belongs to
	Verified bool   // the device verifies its user
	Count    uint32 // of signatures
	User     []byte // id of the user

	key *ecdsa.PrivateKey
}

// New makes a device for the pages of an origin.
func New(t *testing.T, origin, host string) *Device {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	id := make([]byte, 32)
	_, _ = rand.Read(id) // never fails
	return &Device{ID: id, key: key, Origin: origin, Host: host, Verified: true}
}

var b64 = base64.RawURLEncoding

// Flags of the data that a device signs (WebAuthn §6.1).
const (
	present  = 1
	verified = 4
	attested = 0x40
)

func (d *Device) authData(more byte) []byte {
	if d.Verified {
		more |= verified
	}
	sum := sha256.Sum256([]byte(d.Host))
	return binary.BigEndian.AppendUint32(append(sum[:], more|present), d.Count)
}

func (d *Device) clientData(kind, challenge string) []byte {
	return fmt.Appendf(nil, `{"type":%q,"challenge":%q,"origin":%q,"crossOrigin":false}`, kind, challenge, d.Origin)
}

func (d *Device) answerWith(response map[string]any) map[string]any {
	return map[string]any{"id": b64.EncodeToString(d.ID), "rawId": b64.EncodeToString(d.ID),
		"type": "public-key", "clientExtensionResults": map[string]any{}, "response": response}
}

// Make responds to a registration with a new passkey. challenge and user (an id in base64) are from
// its options.
func (d *Device) Make(t *testing.T, challenge, user string) map[string]any {
	t.Helper()
	var err error
	if d.User, err = b64.DecodeString(user); err != nil {
		t.Fatal(err)
	}
	public, err := d.key.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	// COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
	cose := slices.Concat([]byte{0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32}, public[1:33],
		[]byte{0x22, 0x58, 32}, public[33:])
	data := slices.Concat(d.authData(attested), make([]byte, 16),
		binary.BigEndian.AppendUint16(nil, uint16(len(d.ID))), d.ID, cose)
	// {"fmt": "none", "attStmt": {}, "authData": data}
	object := slices.Concat([]byte{0xa3, 0x63}, []byte("fmt"), []byte{0x64}, []byte("none"), []byte{0x67},
		[]byte("attStmt"), []byte{0xa0, 0x68}, []byte("authData"), []byte{0x59},
		binary.BigEndian.AppendUint16(nil, uint16(len(data))), data)
	return d.answerWith(map[string]any{
		"clientDataJSON":    b64.EncodeToString(d.clientData("webauthn.create", challenge)),
		"attestationObject": b64.EncodeToString(object), "transports": []string{"internal"},
	})
}

// Show responds to the challenge of a sign-in.
func (d *Device) Show(t *testing.T, challenge string) map[string]any {
	t.Helper()
	d.Count++
	data := d.authData(0)
	client := d.clientData("webauthn.get", challenge)
	hash := sha256.Sum256(client)
	sum := sha256.Sum256(slices.Concat(data, hash[:]))
	signature, err := ecdsa.SignASN1(rand.Reader, d.key, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	return d.answerWith(map[string]any{
		"clientDataJSON":    b64.EncodeToString(client),
		"authenticatorData": b64.EncodeToString(data), "signature": b64.EncodeToString(signature),
		"userHandle": b64.EncodeToString(d.User),
	})
}
