package hooks

import (
	"cmp"
	"context"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/rights"
)

// Pause pauses a subscription because the service decided so, and sends a mail to the user who saved it last. Users
// who switched these mails off and users who are no admins any more get none.
func (d *Deliveries) Pause(ctx context.Context, tx *db.Tx, hook Webhook, reason cms.Phrase) {
	hook.IsActive, hook.PausedReason, hook.UpdatedAt = false, &reason.Text, tx.At()
	PutWebhook(tx, hook)
	tx.Activity(cms.Actor{Source: cms.SourceAdmin}, "webhook.paused", Subject(hook.Webhook)+": "+reason.Text, hook.ID)
	to, language := hook.SavedBy, ""
	if hook.SavedByID != "" {
		account, _, ok, err := rights.ReaderOf(ctx, d.Store.DB, hook.SavedByID, cms.MailWebhooks)
		if err != nil {
			d.Log.WarnContext(ctx, "no mail about a paused webhook is sent", "webhook", hook.ID, "error", err.Error())
		}
		if !ok || account.Role != cms.RoleUserAdmin {
			return
		}
		to, language = account.Email, account.Language
	}
	if d.Mailer == nil || to == "" {
		return
	}
	d.Mailer.Notify(tx, cms.Actor{}, to, cms.Notice{
		Subject: cms.Phrased("A webhook was paused"), Optional: true, Language: language,
		Paragraphs: []cms.Phrase{cms.Phrased("The service paused the webhook {1}.", cmp.Or(hook.Name, hook.ID)), reason,
			cms.Phrased("Pending deliveries wait for 7 days. Resume the webhook to send them:\n{1}",
				d.SiteURL+"/admin/webhooks/"+hook.ID)}})
}
