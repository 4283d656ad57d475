package transfer

import (
	"slices"

	"headless/pkg/cms"
	"headless/pkg/input"
)

// maxTranslations is how many translations a line may name.
const maxTranslations = 50

// translationsOf reads the other translations of a line: a list of {id}, as answers have it.
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
