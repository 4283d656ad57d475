package frame

import (
	"headless/pkg/admin/say"
	"headless/pkg/cms"
)

// Language returns the language of the page: that of the user's profile, else that which the browser
// prefers.
func (c *Call) Language() *say.Language {
	if c.User != nil {
		if chosen := say.Of(c.User.Language); chosen != nil {
			return chosen
		}
	}
	return say.Accepted(c.R.Header.Get("Accept-Language"))
}

// InLanguage returns an error as scripts of the pages show it. Programs, which send no cookie, get it
// in English. A page has none before a sign-in, but its browser says where the request comes from.
func (c *Call) InLanguage(e *cms.Error) *cms.Error {
	ofPage := c.cookie || c.R.Header.Get("Sec-Fetch-Site") == "same-origin"
	if !ofPage || c.Language() == say.English {
		return e
	}
	shown := *e
	shown.Message, shown.Details = c.Language().Say(say.Known(e.Message)), c.Known(e.Details)
	return &shown
}

// Known returns messages of a validation in the language of the page.
func (c *Call) Known(p cms.Problems) cms.Problems {
	if len(p) == 0 {
		return p
	}
	said := cms.Problems{}
	for path, messages := range p {
		for _, m := range messages {
			said[path] = append(said[path], c.Language().Say(say.Known(m)))
		}
	}
	return said
}
