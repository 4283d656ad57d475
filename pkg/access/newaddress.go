package access

import (
	"context"
	"errors"
	"net/url"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// The limits of mails that confirm a new address.
const (
	addressTime   = 24 * time.Hour
	addressLimit  = 3 // mails to an address
	addressWindow = time.Hour
)

// mayMove checks whether a user may get a new address.
func (s *Sessions) mayMove(ctx context.Context, user User, email string, p cms.Problems) error {
	if user.Factors.Issuer != "" {
		return cms.Errorf(cms.CodeConflict, "Your address follows the sign-in service of your organization.")
	}
	if !cms.ValidEmail(email) {
		p.Add("email", "must be an e-mail address")
		return nil
	}
	_, err := s.Store.UserByEmail(ctx, email)
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	if err == nil {
		err = errEmailTaken
	}
	return err
}

// mailedToken returns a token for a mail to a new address. RATE_LIMITED after too many mails to it.
func (s *Sessions) mailedToken(ctx context.Context, email string) (string, error) {
	ok, err := s.Tries().Mail(ctx, "address", email, addressLimit, addressWindow)
	if err == nil && !ok {
		err = &cms.Error{Code: cms.CodeRateLimited, RetryAfter: addressWindow, Limit: addressLimit,
			Message: "This address got too many mails. Try again in an hour."}
	}
	return db.RandomToken(), err
}

// askAddress mails the link that confirms a new address to it.
func (s *Sessions) askAddress(tx *db.Tx, actor cms.Actor, user User, email, token string) {
	putReset(tx, db.TokenHash(token), Reset{UserID: user.ID, Address: user.Email, Email: email, Epoch: user.Epoch,
		ExpiresAt: cms.At(tx.At().Add(addressTime))})
	tx.Audit(actor, "user.address_requested", "user "+user.Email, user.ID, nil, nil)
	if s.Notices != nil {
		s.Notices.Add(tx, actor, email, cms.Notice{Subject: cms.Phrased("Confirm your new e-mail address"),
			Language: user.Language, Paragraphs: []cms.Phrase{
				cms.Phrased("Somebody, perhaps you, wants to use this address for an account."),
				cms.Phrased("Confirm it within 24 hours:\n{1}",
					s.Notices.SiteURL+"/admin/profile/email?token="+url.QueryEscape(token)),
				cms.Phrased("If it was not you, do nothing.")}})
	}
}

// ConfirmAddress gives a user the new address whose token is in the body. The token works once. It
// ends with a newer one, with a new password and with another address. Errors: VALIDATION_FAILED, CONFLICT if somebody
// else has the address now.
func (s *Sessions) ConfirmAddress(ctx context.Context, from Client, body map[string]any) error {
	in, p := input.Decode[struct {
		Token string `json:"token"`
	}](body)
	if err := p.Err(); err != nil {
		return err
	}
	reset, _, err := s.OpenReset(ctx, in.Token, true)
	if err != nil {
		return err
	}
	err = s.users().changeUser(ctx, reset.UserID, func(users UserList, user User, tx *db.Tx) error {
		if !reset.isFor(user, in.Token) {
			return errDeadToken
		}
		was := user.User
		user.Email, user.EmailToken, user.UpdatedAt = reset.Email, "", tx.At()
		putUser(tx, users, user, errEmailTaken)
		deleteReset(tx, db.TokenHash(in.Token))
		actor := from.Named(was.Email)
		tx.Audit(actor, "user.updated", "user "+user.Email, user.ID, shownChange(was), shownChange(user.User))
		s.users().mailChanges(tx, actor, was, user.User, false)
		return nil
	})
	if cms.CodeOf(err) == cms.CodeNotFound { // the user is deleted
		err = errDeadToken
	}
	return err
}
