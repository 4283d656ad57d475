// Package forms is the function that serves the schemas of forms and accepts submissions. Mails and
// webhooks are sent for the event that is committed with a submission.
package forms

import (
	"headless/pkg/api"
	"headless/pkg/app/function"
	"headless/pkg/app/function/secrets"
	"headless/pkg/forms"
	"headless/pkg/spam"
)

// Start serves until the function ends.
func Start(b *function.Base) error {
	secrets.Use(b)
	b.ServeAPI(api.FormRoutes(&forms.Submissions{
		Store: forms.Open(b.Keys.Store), Recaptcha: spam.Verifier{URL: b.Config.RecaptchaVerifyURL},
		Log: b.Log,
	}))
	return nil
}
