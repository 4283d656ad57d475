package recovery

import (
	"context"
	"fmt"
	"log/slog"

	"headless/pkg/assets"
	"headless/pkg/blob"
	"headless/pkg/rooms"
	"headless/pkg/seal"
	"headless/pkg/secrets"
)

// Report is what Check found.
type Report struct {
	Users, Files int
	Missing      []string // ids of files whose object is missing or has another size
	Secrets      error    // nil: the keys open every stored secret
}

// Err returns an error unless everything fits together.
func (r Report) Err() error {
	switch {
	case r.Users == 0:
		return fmt.Errorf("the table has no users")
	case r.Secrets != nil:
		return fmt.Errorf("the keys do not open the secrets of the table: %w", r.Secrets)
	case len(r.Missing) > 0:
		return fmt.Errorf("%d of %d files are missing or have another size, such as %s", len(r.Missing),
			r.Files, r.Missing[0])
	}
	return nil
}

// Check reads a restored table with its files and its keys. Secrets that older keys sealed are
// sealed again, as the service does.
func Check(ctx context.Context, st *rooms.Stores, files blob.Store, keys *seal.Keys) (r Report, err error) {
	users, err := st.Access.Users(ctx)
	if err != nil {
		return r, err
	}
	r.Users = len(users.List)
	media := &assets.Media{Store: st.Assets, Blobs: files}
	if r.Missing, r.Files, err = media.Missing(ctx); err != nil {
		return r, err
	}
	st.UseSealer(keys)
	opened := &secrets.Resealer{Stores: st, Keys: keys, Log: slog.New(slog.DiscardHandler)}
	_, r.Secrets = opened.Reseal(ctx)
	return r, nil
}
