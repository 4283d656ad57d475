// Command forms is the function that serves the schemas of forms and accepts submissions with their files. Mails
// and webhooks are sent for the event that is committed with a submission.
package main

import (
	"headless/pkg/api/formroutes"
	"headless/pkg/app/awsconf/awss3"
	"headless/pkg/app/function"
	"headless/pkg/app/function/formpages"
	"headless/pkg/app/function/secrets"
	"headless/pkg/assets/inspect"
	"headless/pkg/blob/s3"
	"headless/pkg/forms"
	"headless/pkg/forms/files"
	"headless/pkg/spam"
)

func main() { function.Main(start) }

// start serves until the function ends.
func start(b *function.Base) error {
	bucket, err := b.Need("MEDIA_BUCKET")
	if err != nil {
		return err
	}
	secrets.Use(b)
	store := forms.Open(b.Keys.Store)
	store.KeyOrigins = b.Keys.Origins
	b.ServeAPI(formroutes.New(&forms.Submissions{
		Store: store, Recaptcha: spam.Verifier{URL: b.Config.RecaptchaVerifyURL}, Log: b.Log,
		Files: files.Files{Blobs: s3.New(awss3.New(b.AWS, b.Getenv), bucket), MaxBytes: b.Config.UploadMaxBytes,
			Inspector: inspect.Accepting(b.Config.UploadMimes).Reader()},
	}, formpages.Languages))
	return nil
}
