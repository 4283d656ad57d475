package passkeys

import (
	"context"
	"time"

	"headless/pkg/db"
)

// ceremonyTime is how long a user has for a ceremony.
const ceremonyTime = 5 * time.Minute

// Purposes of a ceremony. They are prefixes of the session or browser token that it is bound to.
const (
	toRegister = "register\n"
	toSignIn   = "sign in\n"
	toConfirm  = "confirm\n"
)

// ceremonies keeps each until it ends, for the session or browser that it is bound to.
func (k *Passkeys) ceremonies() db.Handed[ceremony] {
	return db.Handed[ceremony]{DB: k.store().DB, Kind: "ceremony", For: ceremonyTime}
}

// takeCeremony reads and deletes a ceremony, so that it is used once even if it fails; errNoCeremony if
// there is none.
func (k *Passkeys) takeCeremony(ctx context.Context, to string) (ceremony, error) {
	begun, err := k.ceremonies().Take(ctx, to)
	return begun, db.Missing(err, errNoCeremony)
}
