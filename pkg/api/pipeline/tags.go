package pipeline

import (
	"net/http"
	"strings"

	"headless/pkg/cms"
)

// tagHeader requests the cache tags of an answer if its value is 1, and has them in the response
// (extensions §8).
const tagHeader = "X-Cache-Tags"

// setTags writes the cache tags of an answer.
func setTags(h http.Header, tags *cms.Tags) {
	if names := tags.Names(cms.MaxTags - 1); len(names) > 0 { // one less, since the delivery API adds the tag of the key
		h.Set(tagHeader, strings.Join(names, ","))
	}
}
