package images

import (
	"mime"
	"strconv"
	"strings"
)

// acceptsWebP reports whether an Accept header names image/webp with q > 0.
func acceptsWebP(accept []string) bool {
	for _, part := range strings.Split(strings.Join(accept, ","), ",") {
		kind, parameters, err := mime.ParseMediaType(strings.TrimSpace(part))
		if err != nil || kind != "image/webp" {
			continue
		}
		q, ok := parameters["q"]
		if !ok {
			return true
		}
		if weight, err := strconv.ParseFloat(q, 64); err == nil && weight > 0 {
			return true
		}
	}
	return false
}
