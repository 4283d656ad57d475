// Command forms is the function that serves the schemas of forms and accepts submissions. Mails and
// webhooks are sent for the event that is committed with a submission.
package main

import (
	"headless/pkg/api/formroutes"
	"headless/pkg/app/function"
	"headless/pkg/app/function/secrets"
	"headless/pkg/forms"
	"headless/pkg/spam"
)

func main() { function.Main(start) }

// start serves until the function ends.
func start(b *function.Base) error {
	secrets.Use(b)
	store := forms.Open(b.Keys.Store)
	store.KeyOrigins = b.Keys.Origins
	b.ServeAPI(formroutes.New(&forms.Submissions{
		Store: store, Recaptcha: spam.Verifier{URL: b.Config.RecaptchaVerifyURL},
		Log: b.Log,
	}))
	return nil
}
