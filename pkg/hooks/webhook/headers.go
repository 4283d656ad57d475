package webhook

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"
)

const (
	maxHeaders     = 20
	maxHeaderName  = 100  // bytes
	maxHeaderValue = 1000 // bytes
)

// Masked replaces the value of an extra header for users who may not change it, since the value may
// be a credential. It is not a valid value, so it cannot be stored by mistake.
const Masked = "••••"

// ValidateHeaders checks the extra headers of a subscription: at most 20, without headers that the
// service sets itself or that control the connection or the framing of the message. The error's
// text may be shown to the user; it holds no header values.
func ValidateHeaders(headers map[string]string) error {
	if len(headers) > maxHeaders {
		return fmt.Errorf("must have at most %d headers", maxHeaders)
	}
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		if err := validateHeader(name, headers[name]); err != nil {
			return err
		}
		canonical := http.CanonicalHeaderKey(name)
		if seen[canonical] {
			return fmt.Errorf("must have %s only once", canonical)
		}
		seen[canonical] = true
	}
	return nil
}

func validateHeader(name, value string) error {
	if len(name) > maxHeaderName || !httpguts.ValidHeaderFieldName(name) {
		return errors.New("a header name must have at most 100 letters, digits and hyphens")
	}
	if value == Masked {
		return fmt.Errorf("the value of %s is masked: send the real value, or leave headers out to keep them", name)
	}
	if len(value) > maxHeaderValue || !httpguts.ValidHeaderFieldValue(value) {
		return fmt.Errorf("the value of %s must be one line of up to %d bytes", name, maxHeaderValue)
	}
	if reservedHeader(strings.ToLower(name)) {
		return fmt.Errorf("%s is set by the service and cannot be replaced", name)
	}
	return nil
}

// reservedHeader reports whether a header, named in lower case, is set by the service, is
// hop-by-hop, or controls the routing or framing of a message.
func reservedHeader(name string) bool {
	for _, prefix := range []string{"x-service-", "webhook-", "proxy-"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	switch name {
	case "content-type", "user-agent",
		"connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "http2-settings",
		"host", "content-length", "content-encoding", "accept-encoding", "expect":
		return true
	}
	return false
}
