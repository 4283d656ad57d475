// Package forms is the function that shows the schemas of forms and takes submissions. Their mails
// and webhooks follow from the event that it commits with them.
package forms

import (
	"headless/pkg/api"
	"headless/pkg/app/function"
	"headless/pkg/app/function/secrets"
	"headless/pkg/forms"
	"headless/pkg/spam"
)

// Start answers requests until the function ends.
func Start(b *function.Base) error {
	secrets.Use(b)
	b.ServeAPI(api.FormRoutes(&forms.Submissions{
		Store: forms.Open(b.Keys.Store), Recaptcha: spam.Verifier{URL: b.Config.RecaptchaVerifyURL},
		Log: b.Log,
	}))
	return nil
}
