// Package webhook has the parts of sending webhooks that need no storage and no queue: which events
// a subscription wants, the body, the signed headers, the wait between attempts, and a client that
// refuses to connect into the service's own network.
package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strconv"
	"time"
)

// UserAgent is the User-Agent header of every request to a receiver.
const UserAgent = "Headless-Content-Service-Webhook/1.0"

// Message is one attempt to deliver one event.
type Message struct {
	Event    string // kind
	Delivery string // UUID, the same on every attempt
	Attempt  int    // from 1
	Body     []byte // the result of Body, the same bytes on every attempt
	Secrets  Secrets
	Ed25519  bool              // adds v1a signatures
	Extra    map[string]string // the subscription's own headers
}

// Headers returns the request headers of an attempt made at now (specification §6.2, decisions §8),
// with the signatures. Extra headers that ValidateHeaders would refuse are left out, so they never
// replace a header of the service.
func (m Message) Headers(now time.Time) http.Header {
	h := http.Header{}
	for name, value := range m.Extra {
		if validateHeader(name, value) == nil {
			h.Set(name, value)
		}
	}
	id, timestamp := m.Delivery, strconv.FormatInt(now.Unix(), 10)
	h.Set("Content-Type", "application/json")
	h.Set("User-Agent", UserAgent)
	h.Set("X-Service-Event", m.Event)
	h.Set("X-Service-Delivery", m.Delivery)
	h.Set("X-Service-Attempt", strconv.Itoa(m.Attempt))
	h.Set("X-Service-Signature", serviceSignature(m.Secrets.Current, m.Body))
	h.Set("Webhook-Id", id)
	h.Set("Webhook-Timestamp", timestamp)

	old := m.Secrets.previous(now)
	standard := standardSignature(m.Secrets.Current, id, timestamp, m.Body)
	if old != "" {
		h.Set("X-Service-Signature-Previous", serviceSignature(old, m.Body))
		standard += " " + standardSignature(old, id, timestamp, m.Body)
	}
	if m.Ed25519 {
		standard += " " + asymmetricSignature(m.Secrets.Current, id, timestamp, m.Body)
	}
	if m.Ed25519 && old != "" {
		standard += " " + asymmetricSignature(old, id, timestamp, m.Body)
	}
	h.Set("Webhook-Signature", standard)
	return h
}

// serviceSignature returns the value of X-Service-Signature. Its key is the literal secret, with
// the prefix.
func serviceSignature(secret string, body []byte) string {
	return "sha256=" + hex.EncodeToString(mac([]byte(secret), body))
}

// standardSignature returns the v1 signature of Standard Webhooks: HMAC-SHA256 of
// "id.timestamp.body".
func standardSignature(secret, id, timestamp string, body []byte) string {
	sum := mac(standardKey(secret), []byte(id+"."+timestamp+"."), body)
	return "v1," + base64.StdEncoding.EncodeToString(sum)
}

func mac(key []byte, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, key)
	for _, part := range parts {
		h.Write(part)
	}
	return h.Sum(nil)
}
