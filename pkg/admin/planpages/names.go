package planpages

import (
	"regexp"
	"strings"
	"sync"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/say"
	"headless/pkg/site"
)

// problemAt finds the paths that cms.Error.Describe writes before the problems of fields.
var problemAt = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(` ((?:data|seo)\.[\w.]+|title|slug): `)
})

// reasonOf says why something failed, with the labels of fields for their paths.
func reasonOf(m *site.Model, message string) say.Text {
	at := problemAt().FindAllStringSubmatchIndex(message, -1)
	if len(at) == 0 {
		return say.Known(message)
	}
	parts := []say.Text{say.Known(message[:at[0][0]])}
	for i, found := range at {
		end := len(message)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		parts = append(parts, say.F("{1}: {2}.", entrydata.PathLabel(m, message[found[2]:found[3]]),
			say.KnownAll(strings.Split(strings.TrimSuffix(message[found[1]:end], "."), ", "))))
	}
	return say.Sentences(parts...)
}
