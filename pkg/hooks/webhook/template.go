package webhook

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"headless/pkg/cms"
)

// maxTemplate is the maximum size of a template, in bytes.
const maxTemplate = 4 << 10

// The values of a template. None needs an escape in JSON.
const (
	eventValue    = "{{event}}"
	deliveryValue = "{{delivery}}"
	timeValue     = "{{time}}"
)

// ValidateTemplate checks the template of a body. The error's text may be shown to the user.
func ValidateTemplate(template string) error {
	if len(template) > maxTemplate {
		return fmt.Errorf("must have at most %d bytes", maxTemplate)
	}
	rest := strings.NewReplacer(eventValue, "", deliveryValue, "", timeValue, "").Replace(template)
	if _, unknown, ok := strings.Cut(rest, "{{"); ok { // JSON has {{ only in strings
		name, _, _ := strings.Cut(unknown, "}}")
		return fmt.Errorf("has the unknown value {{%s}}; known: %s, %s, %s", name, eventValue, deliveryValue, timeValue)
	}
	if template != "" && !json.Valid(Fill(template, nil, cms.EventWebhookTest, "", cms.Time{})) {
		return errors.New("must be JSON; values stand in strings, such as \"" + eventValue + "\"")
	}
	return nil
}

// Fill returns the body of a delivery: the template with its values, or the given body if the template
// is "".
func Fill(template string, body []byte, event, delivery string, at cms.Time) []byte {
	if template == "" {
		return body
	}
	values := strings.NewReplacer(eventValue, event, deliveryValue, delivery, timeValue, at.String())
	return []byte(values.Replace(template))
}
