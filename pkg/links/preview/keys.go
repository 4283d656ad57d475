package preview

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"slices"

	"headless/pkg/db"
	"headless/pkg/table"
)

// Tokens are signed with Ed25519, so that functions that only verify them need no secret. The
// stored key is the public key, followed by the sealed seed.

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	key that signs preview tokens                    PREVIEWKEY                          k
//	how often tokens of an entry were revoked        PREVIEW#<entry id>                  r
//	links that were made, by age                     PREVIEWS                            <link id>

func secretKey() table.Key { return table.Key{Partition: "PREVIEWKEY", Sort: "k"} }

// revokedKey is the key of the counter of revocations. The counter is not deleted with the entry:
// if an entry with the same id is imported later, the tokens of the deleted one stay revoked.
func revokedKey(entryID string) table.Key {
	return table.Key{Partition: "PREVIEW#" + entryID, Sort: "r"}
}

const linksPartition = "PREVIEWS"

func linkKey(id string) table.Key { return table.Key{Partition: linksPartition, Sort: id} }

// stored is the stored form of the key.
type stored struct {
	public  ed25519.PublicKey // nil if there is no key
	sealed  []byte            // the encrypted seed
	exists  bool
	version int64
}

func (l Links) storedKey(ctx context.Context) (stored, error) {
	item, err := l.Entries.Store.Get(ctx, secretKey())
	if err != nil {
		return stored{}, db.Missing(err, nil)
	}
	return storedIn(item), nil
}

// storedIn reads the row of the key.
func storedIn(item *table.Item) stored {
	k := stored{exists: true, version: item.Version}
	// Former versions stored another kind of key here, with the size of a public key and nothing
	// after it.
	if len(item.Body) > ed25519.PublicKeySize {
		k.public, k.sealed = item.Body[:ed25519.PublicKeySize], item.Body[ed25519.PublicKeySize:]
	}
	return k
}

// putKey replaces the stored key. It returns db.ErrOvertaken if another process changed the key after
// it was read.
func (l Links) putKey(ctx context.Context, was stored, public ed25519.PublicKey, sealed []byte) error {
	item := table.Item{Key: secretKey(), Version: was.version + 1, Body: slices.Concat(public, sealed)}
	tx := l.Entries.Store.Begin()
	if was.exists {
		tx.Replace(item, was.version)
	} else {
		tx.Create(item, db.ErrOvertaken)
	}
	return l.Entries.Store.Commit(ctx, tx)
}

// signingKey decrypts the key, or creates one if there is none.
func (l Links) signingKey(ctx context.Context) (key ed25519.PrivateKey, err error) {
	err = l.Entries.Store.Retry(ctx, func() error {
		k, err := l.storedKey(ctx)
		if err != nil {
			return err
		}
		if k.public != nil {
			seed, err := l.Entries.Store.Unseal(k.sealed)
			if err == nil {
				key = ed25519.NewKeyFromSeed(seed)
			}
			return err
		}
		var public ed25519.PublicKey
		if public, key, err = ed25519.GenerateKey(rand.Reader); err != nil {
			return err
		}
		sealed, err := l.Entries.Store.Seal(key.Seed())
		if err != nil {
			return err
		}
		return l.putKey(ctx, k, public, sealed)
	})
	return key, err
}

// Reseal seals the signing key with the current encryption key, and reports whether the stored key
// changed. It replaces a key of a former version.
func (l Links) Reseal(ctx context.Context) (changed bool, err error) {
	k, err := l.storedKey(ctx)
	if err != nil || !k.exists {
		return false, err
	}
	if k.public == nil {
		_, err := l.signingKey(ctx)
		return err == nil, err
	}
	fresh, err := l.Entries.Store.Reseal(k.sealed)
	if err != nil || bytes.Equal(fresh, k.sealed) {
		return false, err
	}
	return true, l.putKey(ctx, k, k.public, fresh)
}
