// Command samples creates the table in a DynamoDB Local and fills it with the content that the
// sample events in events/ use: the model articles with an entry, the form contact, and the key
// pk_sample with the secret sk_sample. It does not change existing content.
//
//	docker compose -f infra/compose.yaml up -d dynamodb
//	go run ./scripts/samples
//
// AWS_ENDPOINT_URL_DYNAMODB (http://127.0.0.1:8000), TABLE_NAME (headless) and credentials (any)
// can be set in the environment. It is for emulators only: the key is public.
package main

import (
	"context"
	"crypto/sha256"
	"os"
	"time"

	"github.com/google/uuid"

	"headless/pkg/apikeys"
	"headless/pkg/app/awsconf"
	"headless/pkg/app/awsconf/awsdynamodb"
	"headless/pkg/cms"
	"headless/pkg/editing"
	"headless/pkg/forms"
	"headless/pkg/rooms"
	"headless/pkg/site"
	"headless/pkg/table/dynamo"
	"headless/scripts/internal/program"
)

var defaults = map[string]string{
	"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
	"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:8000", "TABLE_NAME": "headless",
}

func main() {
	getenv := func(name string) string {
		if v := os.Getenv(name); v != "" {
			return v
		}
		return defaults[name]
	}
	program.Main("samples", func(ctx context.Context) error { return run(ctx, getenv) })
}

func run(ctx context.Context, getenv func(string) string) error {
	cfg, err := awsconf.Config(getenv)
	if err != nil {
		return err
	}
	client, name := awsdynamodb.New(cfg, getenv), getenv("TABLE_NAME")
	if err := dynamo.Create(ctx, client, name, true); err != nil {
		return err
	}
	return createContent(ctx, rooms.New(dynamo.New(client, name), time.Now))
}

type object = map[string]any

// createContent creates the content, unless its model exists.
func createContent(ctx context.Context, st *rooms.Stores) error {
	actor := cms.Actor{Name: "samples", Source: cms.SourceAdmin}
	if err := (&site.Locales{Store: st.Site}).EnsureDefault(ctx); err != nil {
		return err
	}
	siteNow, err := st.Site.Site(ctx)
	if err != nil || siteNow.Models["articles"] != nil {
		return err
	}
	tx := st.Begin()
	secret := sha256.Sum256([]byte("sk_sample"))
	apikeys.Put(tx, apikeys.Key{SecretHash: secret[:], Key: cms.Key{
		ID: uuid.NewString(), Name: "Samples", PublicKey: "pk_sample",
		Scopes: []string{cms.ScopeRead, cms.ScopeWrite}, Origins: []string{},
		RateLimit: cms.DefaultRateLimit, CreatedAt: tx.At(), UpdatedAt: tx.At(),
	}})
	if err := st.Commit(ctx, tx); err != nil {
		return err
	}
	entries := &editing.Entries{Store: st.Content}
	form := object{"name": "Contact", "slug": "contact", "fields": []any{
		object{"name": "name", "label": "Name", "type": "text", "required": true},
		object{"name": "email", "label": "E-mail", "type": "email", "required": true},
		object{"name": "message", "label": "Message", "type": "textarea", "required": true},
	}}
	model := object{"name": "Articles", "slug": "articles", "fields": []any{
		object{"name": "body", "label": "Body", "type": "textarea", "searchable": true},
	}}
	entry := object{"title": "Hello", "status": "published", "data": object{"body": "Hello from the samples."}}
	if _, err := (&forms.Forms{Store: st.Forms}).Create(ctx, actor, form); err != nil {
		return err
	}
	models := &site.Models{Store: st.Site, HasEntries: entries.ModelHasEntries}
	if _, err := models.Create(ctx, actor, model); err != nil {
		return err
	}
	_, err = entries.Create(ctx, actor, "articles", entry)
	return err
}
