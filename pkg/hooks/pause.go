package hooks

import (
	"headless/pkg/cms"
	"headless/pkg/db"
)

// Mailer adds a mail to a transaction. The mail is sent after the commit. An invalid address gets
// no mail.
type Mailer interface {
	Notify(tx *db.Tx, actor cms.Actor, to, subject, text string)
}

// Pause pauses a subscription because the service decided so, and sends a mail to the user who
// saved it last.
func (d *Deliveries) Pause(tx *db.Tx, hook Webhook, reason string) {
	hook.IsActive, hook.PausedReason, hook.UpdatedAt = false, &reason, tx.At()
	PutWebhook(tx, hook)
	subject := Subject(hook.Webhook)
	tx.Activity(cms.Actor{Source: cms.SourceAdmin}, "webhook.paused", subject+": "+reason, hook.ID)
	if d.Mailer != nil && hook.SavedBy != "" {
		text := "The service paused the " + subject + ". " + reason +
			"\n\nPending deliveries wait for 7 days. Resume the webhook to send them:\n" +
			d.SiteURL + "/admin/webhooks/" + hook.ID + "\n"
		d.Mailer.Notify(tx, cms.Actor{}, hook.SavedBy, "A webhook was paused", text)
	}
}
