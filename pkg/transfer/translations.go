package transfer

import (
	"slices"

	"headless/pkg/cms"
	"headless/pkg/input"
)

// maxTranslations is the maximum number of translations in a line.
const maxTranslations = 50

// translationsOf returns the ids of the other translations in a line. The line has a list of
// objects with an id, like entries of the API.
func translationsOf(line map[string]any, p cms.Problems) []string {
	list, ok := line["translations"].([]any)
	if !ok && line["translations"] != nil || len(list) > maxTranslations {
		p.Add("translations", "must be a list of at most %d objects with an id", maxTranslations)
		return nil
	}
	own, _ := line["id"].(string)
	own, _ = input.CanonicalID(own)
	var others []string
	for _, v := range list {
		member, _ := v.(map[string]any)
		text, _ := member["id"].(string)
		id, ok := input.CanonicalID(text)
		if !ok {
			p.Add("translations", "must be a list of objects with an id")
			return nil
		}
		if id != own && !slices.Contains(others, id) {
			others = append(others, id)
		}
	}
	return others
}
