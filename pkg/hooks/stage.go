package hooks

import (
	"context"
	"errors"

	"headless/pkg/cms"
)

// Stage applies the body of a create or an update to a subscription; see StageModel. A new one gets
// a secret, which is shown by the next rotation only.
func (w Webhooks) Stage(ctx context.Context, p cms.Problems, hook *Webhook, body map[string]any,
	create bool) error {
	secret, err := w.apply(ctx, hook, body, create)
	var invalid *cms.Error
	if errors.As(err, &invalid) && invalid.Code == cms.CodeValidationFailed {
		p.Merge(invalid.Details)
		return nil
	}
	if err != nil || !create {
		return err
	}
	return w.Store.setSecret(hook, orNewSecret(secret))
}
