package cms

import "encoding/json"

// Webhook is a subscription to events, without its secret (specification §2.7, decisions §8).
type Webhook struct {
	ID           string            `json:"id"`
	Name         string            `json:"name"`
	URL          string            `json:"url"`
	Events       []string          `json:"events"` // kinds, "entry.*" or "*"
	Models       []string          `json:"models"` // slugs; empty: entry events of every model
	IsActive     bool              `json:"is_active"`
	Description  string            `json:"description"`
	Headers      map[string]string `json:"headers"`
	CreatedAt    Time              `json:"created_at"`
	UpdatedAt    Time              `json:"updated_at"`
	PausedReason *string           `json:"paused_reason"` // why the service paused it; nil if it did not

	// BundleSeconds is how long entry events are collected into one delivery; 0: one delivery for
	// each event (extensions §7).
	BundleSeconds int `json:"bundle_seconds"`

	// RequestsPerSecond limits the requests to the receiver; 0: no limit.
	RequestsPerSecond int `json:"requests_per_second"`

	// Ed25519 adds signatures that PublicKey verifies, in addition to those with the secret.
	Ed25519   bool    `json:"ed25519"`
	PublicKey *string `json:"public_key"` // nil if Ed25519 is false; never stored

	// Body is the template of the body of each request; "" for the body of the service.
	Body string `json:"body"`

	// Listen means that there is no URL: deliveries wait until they are polled (extensions §17).
	Listen bool `json:"listen"`
}

// NewWebhook returns a subscription with the defaults of a new one.
func NewWebhook() Webhook {
	return Webhook{Events: []string{}, Models: []string{}, Headers: map[string]string{}, IsActive: true}
}

// DeliveryStatus is the state of a delivery.
type DeliveryStatus string

// The states of a delivery. A finished delivery becomes pending again if it is redelivered.
const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliveryDelivered DeliveryStatus = "delivered"
	DeliveryFailed    DeliveryStatus = "failed"
)

// Delivery is one event for one subscription, as shown in the delivery log.
type Delivery struct {
	ID            string            `json:"id"` // the X-Service-Delivery header
	Event         string            `json:"event"`
	Status        DeliveryStatus    `json:"status"`
	NextAttemptAt Time              `json:"next_attempt_at"` // zero when finished
	CreatedAt     Time              `json:"created_at"`
	Attempts      []DeliveryAttempt `json:"attempts"` // in order
	// RequestID is the id of the request that raised the event; "" without a request, and for
	// bundles.
	RequestID string `json:"request_id"`
}

// DeliveryAttempt is one request for a delivery, made or refused.
type DeliveryAttempt struct {
	Attempt      int             `json:"attempt"` // from 1
	TargetURL    string          `json:"target_url"`
	Payload      json.RawMessage `json:"payload"`       // the body of the request
	ResponseCode *int            `json:"response_code"` // nil without a response
	ResponseBody string          `json:"response_body"` // its first 4 KiB
	LatencyMS    int64           `json:"latency_ms"`
	Error        *string         `json:"error"` // why there is no complete response; nil otherwise
	Time         Time            `json:"time"`  // when the attempt started
}
