package hooks

import (
	"cmp"
	"context"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/rights"
)

// Pause pauses a subscription because the service decided so, and sends a mail to the user who
// saved it last, unless that user switched these mails off.
func (d *Deliveries) Pause(ctx context.Context, tx *db.Tx, hook Webhook, reason cms.Phrase) {
	hook.IsActive, hook.PausedReason, hook.UpdatedAt = false, &reason.Text, tx.At()
	PutWebhook(tx, hook)
	tx.Activity(cms.Actor{Source: cms.SourceAdmin}, "webhook.paused", Subject(hook.Webhook)+": "+reason.Text, hook.ID)
	if d.Mailer == nil || hook.SavedBy == "" {
		return
	}
	var account rights.Account
	if hook.SavedByID != "" {
		var err error
		if account, err = rights.AccountOf(ctx, d.Store.DB, hook.SavedByID); err != nil {
			d.Log.WarnContext(ctx, "the mail about a paused webhook is in the language of the site", "webhook", hook.ID,
				"error", err.Error())
		}
	}
	if !account.WantsMail(cms.MailWebhooks) {
		return
	}
	d.Mailer.Notify(tx, cms.Actor{}, cmp.Or(account.Email, hook.SavedBy), cms.Notice{
		Subject: cms.Phrased("A webhook was paused"), Optional: true, Language: account.Language,
		Paragraphs: []cms.Phrase{cms.Phrased("The service paused the webhook {1}.", cmp.Or(hook.Name, hook.ID)), reason,
			cms.Phrased("Pending deliveries wait for 7 days. Resume the webhook to send them:\n{1}",
				d.SiteURL+"/admin/webhooks/"+hook.ID)}})
}
