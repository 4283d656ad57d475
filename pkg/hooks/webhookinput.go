package hooks

import (
	"cmp"
	"context"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/hooks/webhook"
	"headless/pkg/input"
	"headless/pkg/slice"
)

// webhookInput is the body of a create or update. Nil fields were not sent.
type webhookInput struct {
	Name        *string            `json:"name"`
	URL         *string            `json:"url"`
	Events      *[]string          `json:"events"`
	Models      *[]string          `json:"models"`
	IsActive    *bool              `json:"is_active"`
	Description *string            `json:"description"`
	Headers     *map[string]string `json:"headers"`
	Secret      *string            `json:"secret"`

	BundleSeconds     *int  `json:"bundle_seconds"`
	RequestsPerSecond *int  `json:"requests_per_second"`
	Ed25519           *bool `json:"ed25519"`
	Listen            *bool `json:"listen"`

	Body *string `json:"body"`
}

// Limits of the input.
const (
	maxWebhookName        = 255  // characters
	maxWebhookDescription = 2000 // characters
	maxBundleSeconds      = 300
	maxRequestsPerSecond  = 1000
)

// applyBody sets the fields of the subscription that the body holds, and returns the secret of the
// body, "" if it has none. All problems are reported at once.
func (w Webhooks) applyBody(ctx context.Context, hook *Webhook, body map[string]any,
	create bool) (secret string, err error) {
	in, problems := input.Decode[webhookInput](body, "paused_reason", "deliveries", "public_key")
	site, err := w.Store.Site(ctx)
	if err != nil {
		return "", err
	}
	if create {
		hook.Listen = input.Given(in.Listen, false)
	} else if input.Given(in.Listen, hook.Listen) != hook.Listen {
		problems.Add("listen", "cannot be changed")
	}
	if hook.Listen {
		if input.Given(in.URL, "") != "" {
			problems.Add("url", "must be missing: a listener is polled")
		}
		hook.Name = cmp.Or(hook.Name, "Listener")
		in.BundleSeconds = nil // each event is a delivery of its own
	} else if create || in.URL != nil {
		hook.URL = input.Given(in.URL, "")
		if err := w.Client.CheckURL(ctx, hook.URL); err != nil && len(problems["url"]) == 0 {
			problems.Add("url", "%s", err)
		}
	}
	if in.Models != nil {
		models := slice.Distinct(*in.Models)
		for _, slug := range models {
			if site.Models[slug] == nil && !slices.Contains(hook.Models, slug) {
				problems.Add("models", "%q is not a model", slug)
			}
		}
		hook.Models = models
	}
	hook.Name, hook.Description = input.Given(in.Name, hook.Name), input.Given(in.Description, hook.Description)
	problems.LimitLength("name", hook.Name, maxWebhookName)
	problems.LimitLength("description", hook.Description, maxWebhookDescription)
	if in.Events != nil {
		hook.Events = slice.Distinct(*in.Events)
		addProblem(problems, "events", webhook.ValidateEvents(hook.Events))
	}
	if in.Headers != nil {
		if hook.Headers = *in.Headers; hook.Headers == nil {
			hook.Headers = map[string]string{}
		}
		addProblem(problems, "headers", webhook.ValidateHeaders(hook.Headers))
	}
	if in.Body != nil {
		hook.Body = *in.Body
		addProblem(problems, "body", webhook.ValidateTemplate(hook.Body))
	}
	hook.IsActive = input.Given(in.IsActive, hook.IsActive)
	hook.BundleSeconds = input.Given(in.BundleSeconds, hook.BundleSeconds)
	checkAtMost(problems, "bundle_seconds", hook.BundleSeconds, maxBundleSeconds)
	hook.RequestsPerSecond = input.Given(in.RequestsPerSecond, hook.RequestsPerSecond)
	checkAtMost(problems, "requests_per_second", hook.RequestsPerSecond, maxRequestsPerSecond)
	hook.Ed25519 = input.Given(in.Ed25519, hook.Ed25519)
	secret = checkSecret(problems, in.Secret)
	return secret, problems.Err()
}

func checkAtMost(problems cms.Problems, field string, n, most int) {
	if n < 0 || n > most {
		problems.Add(field, "must be 0 to %d", most)
	}
}

// secretInput returns the secret in the body of a rotation, "" if there is none.
func secretInput(body map[string]any) (string, error) {
	in, problems := input.Decode[struct {
		Secret *string `json:"secret"`
	}](body)
	secret := checkSecret(problems, in.Secret)
	return secret, problems.Err()
}

// checkSecret returns the secret that a user chose, "" if none, and adds its problem to p.
func checkSecret(p cms.Problems, in *string) string {
	secret := input.Given(in, "")
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
