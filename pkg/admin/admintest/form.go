// Package admintest reads pages of the admin area for tests.
package admintest

import (
	"html"
	"net/url"
	"regexp"
	"strings"
)

// FormIn returns the values that a browser without scripts sends of the form of an entry.
func FormIn(page string) url.Values {
	form, text := url.Values{}, regexp.MustCompile(`(?s)<template>.*?</template>`).ReplaceAllString(page, "")
	text = regexp.MustCompile(`(?s)<form [^>]*id="entry".*?</form>`).FindString(text)
	for _, input := range regexp.MustCompile(`<input [^>]*name="([^"]*)"[^>]*>`).FindAllStringSubmatch(text, -1) {
		value := regexp.MustCompile(` value="([^"]*)"`).FindStringSubmatch(input[0])
		if strings.Contains(input[0], `type="checkbox"`) && !strings.Contains(input[0], " checked") || value == nil {
			continue
		}
		form.Add(input[1], html.UnescapeString(value[1]))
	}
	for _, area := range regexp.MustCompile(`(?s)<textarea id="[^"]*" name="([^"]*)"[^>]*>\n?(.*?)</textarea>`).
		FindAllStringSubmatch(text, -1) {
		form.Set(area[1], html.UnescapeString(area[2]))
	}
	if token := regexp.MustCompile(`name="_csrf" value="([^"]*)"`).FindStringSubmatch(text); token != nil {
		form.Set("_csrf", token[1])
	}
	return form
}
