// Package notices writes mails to users about their accounts.
package notices

import (
	"headless/pkg/cms"
	"headless/pkg/db"
)

// Notices are mails about accounts. They are committed with what they are about and sent like the
// mails of forms. A nil *Notices sends none.
type Notices struct {
	SiteURL string // links are made from it, never from what a request says
	Mailer  Mailer
}

// Mailer puts a mail into a transaction; it is sent once that is committed.
type Mailer interface {
	Notify(tx *db.Tx, actor cms.Actor, to, subject, text string)
}

// Add puts a mail into a transaction of actor.
func (n *Notices) Add(tx *db.Tx, actor cms.Actor, to, subject, text string) {
	if n != nil {
		n.Mailer.Notify(tx, actor, to, subject, text)
	}
}

// Changed tells a user about a change of their account that they may not have made.
func (n *Notices) Changed(tx *db.Tx, actor cms.Actor, to, what string) {
	if n != nil {
		n.Add(tx, actor, to, "Your account was changed",
			what+"\n\nIf this was not you, set a new password and tell an admin.\n"+n.SiteURL+"/admin/profile\n")
	}
}
