package service

import (
	"context"
	"slices"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/pkg/store"
	"headless/pkg/webhook"
)

// webhookInput is what a body may say of a subscription.
type webhookInput struct {
	Name        *string            `json:"name"`
	URL         *string            `json:"url"`
	Events      *[]string          `json:"events"`
	Models      *[]string          `json:"models"`
	IsActive    *bool              `json:"is_active"`
	Description *string            `json:"description"`
	Headers     *map[string]string `json:"headers"`
	Secret      *string            `json:"secret"`
}

// Lengths in characters.
const (
	maxWebhookName        = 255
	maxWebhookDescription = 2000
)

// apply puts the body's values into the subscription, and gives the secret that it names. All problems are reported at once.
func (w Webhooks) apply(ctx context.Context, hook *store.Webhook, body map[string]any, create bool) (secret string, err error) {
	var in webhookInput
	problems := cms.Problems{}
	decodeInput(body, &in, problems, "paused_reason", "deliveries")
	site, err := w.Store.Site(ctx)
	if err != nil {
		return "", err
	}
	if create || in.URL != nil {
		hook.URL = given(in.URL, "")
		if err := w.Client.CheckURL(ctx, hook.URL); err != nil && len(problems["url"]) == 0 {
			problems.Add("url", "%s", err)
		}
	}
	if in.Models != nil {
		for _, slug := range *in.Models {
			if site.Models[slug] == nil && !slices.Contains(hook.Models, slug) {
				problems.Add("models", "%q is not a model", slug)
			}
		}
		hook.Models = distinct(*in.Models)
	}
	hook.Name = checkLength(problems, "name", given(in.Name, hook.Name), maxWebhookName)
	hook.Description = checkLength(problems, "description", given(in.Description, hook.Description), maxWebhookDescription)
	if in.Events != nil {
		hook.Events = distinct(*in.Events)
		addProblem(problems, "events", webhook.ValidateEvents(hook.Events))
	}
	if in.Headers != nil {
		if hook.Headers = *in.Headers; hook.Headers == nil {
			hook.Headers = map[string]string{}
		}
		addProblem(problems, "headers", webhook.ValidateHeaders(hook.Headers))
	}
	hook.IsActive = given(in.IsActive, hook.IsActive)
	secret = checkSecret(problems, in.Secret)
	return secret, problems.Err()
}

// secretInput is the secret that the body of a rotation names, "" where it names none.
func secretInput(body map[string]any) (string, error) {
	var in struct {
		Secret *string `json:"secret"`
	}
	problems := cms.Problems{}
	decodeInput(body, &in, problems)
	secret := checkSecret(problems, in.Secret)
	return secret, problems.Err()
}

// checkSecret is a secret that a user chose; "" asks for none.
func checkSecret(p cms.Problems, in *string) string {
	secret := given(in, "")
	if secret != "" {
		addProblem(p, "secret", webhook.ValidateSecret(secret))
	}
	return secret
}

func addProblem(p cms.Problems, path string, err error) {
	if err != nil {
		p.Add(path, "%s", err)
	}
}

func checkLength(p cms.Problems, path, text string, limit int) string {
	if utf8.RuneCountInString(text) > limit {
		p.Add(path, "must have at most %d characters", limit)
	}
	return text
}

// distinct drops repetitions and keeps the order.
func distinct(list []string) []string {
	out := make([]string, 0, len(list))
	for _, v := range list {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
