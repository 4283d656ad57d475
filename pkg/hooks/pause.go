package hooks

import (
	"cmp"

	"headless/pkg/cms"
	"headless/pkg/db"
)

// Pause pauses a subscription because the service decided so, and sends a mail to the user who
// saved it last.
func (d *Deliveries) Pause(tx *db.Tx, hook Webhook, reason cms.Phrase) {
	hook.IsActive, hook.PausedReason, hook.UpdatedAt = false, &reason.Text, tx.At()
	PutWebhook(tx, hook)
	tx.Activity(cms.Actor{Source: cms.SourceAdmin}, "webhook.paused", Subject(hook.Webhook)+": "+reason.Text, hook.ID)
	if d.Mailer != nil && hook.SavedBy != "" {
		d.Mailer.Notify(tx, cms.Actor{}, hook.SavedBy, cms.Notice{Subject: cms.Phrased("A webhook was paused"),
			Paragraphs: []cms.Phrase{cms.Phrased("The service paused the webhook {1}.", cmp.Or(hook.Name, hook.ID)), reason,
				cms.Phrased("Pending deliveries wait for 7 days. Resume the webhook to send them:\n{1}",
					d.SiteURL+"/admin/webhooks/"+hook.ID)}})
	}
}
