package pipeline

import (
	"net/http"
	"strings"

	"headless/pkg/cms"
)

// tagHeader asks for the tags of an answer with the value 1, and carries them in the answer
// (extensions §8).
const tagHeader = "X-Cache-Tags"

// setTags shows what an answer is made of.
func setTags(h http.Header, tags *cms.Tags) {
	if names := tags.Names(cms.MaxTags - 1); len(names) > 0 { // one less: the delivery API adds that of the key
		h.Set(tagHeader, strings.Join(names, ","))
	}
}
