package hooks

import (
	"cmp"
	"context"
	"errors"

	"headless/pkg/cms"
	"headless/pkg/hooks/webhook"
)

// Stage applies the body of a create or an update to a subscription, and adds its problems to p.
// The caller stores the result with PutWebhook. A new subscription gets a secret that nobody sees,
// unless the body has one; a rotation replaces it.
func (w Webhooks) Stage(ctx context.Context, p cms.Problems, hook *Webhook, body map[string]any,
	create bool) error {
	secret, err := w.applyBody(ctx, hook, body, create)
	if invalid, ok := errors.AsType[*cms.Error](err); ok && invalid.Code == cms.CodeValidationFailed {
		p.Merge(invalid.Details)
		return nil
	}
	if err != nil || !create {
		return err
	}
	return w.Store.setSecret(hook, cmp.Or(secret, webhook.NewSecret()))
}
