package provider

import "strings"

// claims are what a provider says of a user.
type claims map[string]any

func (c claims) text(name string) string {
	s, _ := c[name].(string)
	return s
}

// isTrue takes the text "true" as well: some providers write truth values so.
func (c claims) isTrue(name string) bool { return c[name] == true || c[name] == "true" }

// at finds a claim by its name, or by a path of names with dots; nil where there is none.
func (c claims) at(path string) any {
	if v := c[path]; v != nil {
		return v
	}
	var v any = map[string]any(c)
	for name := range strings.SplitSeq(path, ".") {
		inner, _ := v.(map[string]any)
		v = inner[name]
	}
	return v
}

// texts are the texts of a claim that is one text or a list of them.
func (c claims) texts(path string) (list []string) {
	switch v := c.at(path).(type) {
	case string:
		return []string{v}
	case []any:
		for _, one := range v {
			if s, ok := one.(string); ok {
				list = append(list, s)
			}
		}
	}
	return list
}
