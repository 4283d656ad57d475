package passkeys

import (
	"context"
	"errors"
	"time"

	"headless/pkg/db"
	"headless/pkg/table"
)

// ceremonyTime is how long a user has for a ceremony.
const ceremonyTime = 5 * time.Minute

// Purposes of a ceremony. They are prefixes of the session or browser token that it is bound to.
const (
	toRegister = "register\n"
	toSignIn   = "sign in\n"
	toConfirm  = "confirm\n"
)

// keepCeremony stores a ceremony for the session or browser that it is bound to. It replaces an earlier
// one.
func (k *Passkeys) keepCeremony(ctx context.Context, to string, begun *ceremony) error {
	tx := k.store().Begin()
	tx.Put(table.Item{Key: ceremonyKey(db.TokenHash(to)), Body: db.Pack(begun),
		Expires: tx.At().Add(ceremonyTime).Unix()})
	return k.store().Commit(ctx, tx)
}

// takeCeremony reads and deletes a ceremony, so that it is used once even if it fails; errNoCeremony if
// there is none.
func (k *Passkeys) takeCeremony(ctx context.Context, to string) (begun ceremony, err error) {
	key := ceremonyKey(db.TokenHash(to))
	item, err := k.store().Get(ctx, key)
	if errors.Is(err, db.ErrNotFound) || err == nil && k.store().Clock().Unix() >= item.Expires {
		return begun, errNoCeremony
	}
	if err != nil {
		return begun, err
	}
	tx := k.store().Begin()
	tx.Do(table.Op{Kind: table.Delete, Item: table.Item{Key: key}, If: table.Present}, errNoCeremony)
	if err := k.store().Commit(ctx, tx); err != nil {
		return begun, err
	}
	return begun, db.Unpack(item.Body, &begun)
}
