package cms

// Setting is one value of the site's configuration (specification §2.4, decisions §9).
type Setting struct {
	Group          string            `json:"group"`
	Key            string            `json:"key"`
	Value          string            `json:"value"`
	IsPublic       bool              `json:"is_public"`
	IsTranslatable bool              `json:"is_translatable"`
	Translations   map[string]string `json:"translations"` // locale code to value
}
