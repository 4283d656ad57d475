package provider

import "strings"

// claims are the claims of a provider about a user.
type claims map[string]any

func (c claims) textAt(name string) string {
	s, _ := c[name].(string)
	return s
}

// isTrue also accepts the text "true", which some providers send.
func (c claims) isTrue(name string) bool { return c[name] == true || c[name] == "true" }

// claimAt finds a claim by its name, or by a dotted path of names. It returns nil if there is none.
func (c claims) claimAt(path string) any {
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

// texts returns the texts of a claim that is one text or a list.
func (c claims) texts(path string) (list []string) {
	switch v := c.claimAt(path).(type) {
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

// addMissing adds the claims that c lacks. An address is verified if the claims that have it say so: those of the ID
// token and of the userinfo endpoint may differ.
func (c claims) addMissing(more claims) {
	const verified = "email_verified"
	switch {
	case c["email"] == nil:
		delete(c, verified)
	case c.textAt("email") != more.textAt("email"):
		delete(more, verified)
	}
	for name, value := range more {
		if c[name] == nil {
			c[name] = value
		}
	}
}
