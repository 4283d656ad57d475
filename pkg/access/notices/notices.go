// Package notices writes mails to users about their accounts.
package notices

import (
	"headless/pkg/cms"
	"headless/pkg/db"
)

// Notices are mails about accounts. A mail is committed in the transaction of the change that it is
// about, and sent like the mails of forms. A nil *Notices sends none.
type Notices struct {
	SiteURL string // links start with it, never with the Host of a request
	Mailer  db.Mailer
}

// Add adds a mail to a transaction of actor. A mail to the owner of an account names its language, since
// what sends mails reads no accounts.
func (n *Notices) Add(tx *db.Tx, actor cms.Actor, to string, notice cms.Notice) {
	if n != nil {
		n.Mailer.Notify(tx, actor, to, notice)
	}
}

// Changed notifies a user of a change of their account that somebody else may have made.
func (n *Notices) Changed(tx *db.Tx, actor cms.Actor, user cms.User, change cms.Phrase) {
	if n != nil {
		n.Add(tx, actor, user.Email, cms.Notice{Subject: cms.Phrased("Your account was changed"), Language: user.Language,
			Paragraphs: []cms.Phrase{change, cms.Phrased("If this was not you, set a new password and tell an admin.\n{1}",
				n.SiteURL+"/admin/profile")}})
	}
}
