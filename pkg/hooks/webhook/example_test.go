package webhook_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"headless/pkg/hooks/webhook"
)

// A receiver computes the signature of the bytes that it got, with the secret of the subscription,
// and compares it in constant time.
func ExampleMessage_Headers() {
	const secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
	sent := webhook.Message{
		Event:    "entry.published",
		Delivery: "0b4c1f0e-6f3a-4f0e-9c55-1d8d6b1c2a11",
		Attempt:  1,
		Body:     []byte(`{"event":"entry.published"}`),
		Secrets:  webhook.Secrets{Current: secret},
	}
	headers := sent.Headers(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))

	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(sent.Body)
	want := "sha256=" + hex.EncodeToString(mac.Sum(nil))

	got := headers.Get("X-Service-Signature")
	fmt.Println(hmac.Equal([]byte(got), []byte(want)))
	fmt.Println(headers.Get("webhook-id"), headers.Get("webhook-timestamp"))
	// Output:
	// true
	// 0b4c1f0e-6f3a-4f0e-9c55-1d8d6b1c2a11 1772366400
}
