package frame

import "headless/pkg/admin/say"

// Language returns the language of the page: that of the user's profile, else that which the browser
// prefers.
func (c *Call) Language() *say.Language {
	return say.Accepted(c.R.Header.Get("Accept-Language"))
}
