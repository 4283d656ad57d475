package assets

import (
	"context"
	"errors"
	"slices"

	"headless/pkg/db"
	"headless/pkg/refs"
	"headless/pkg/table"
)

// Addresses under which files were served outlive the configuration: texts may contain them. They
// are kept in one row.

// Own returns the addresses below which this service serves its files, or served them earlier. It
// reads the stored ones once.
func (s *Media) Own(ctx context.Context) (refs.Own, error) {
	if known := s.own.Load(); known != nil {
		return *known, nil
	}
	own, _, err := s.readOwn(ctx)
	if err == nil {
		s.own.Store(&own)
	}
	return own, err
}

// configuredAddresses returns the addresses in the configuration.
func (s *Media) configuredAddresses() refs.Own {
	own := refs.Own{s.BaseURL}
	if s.SiteURL != "" {
		own = append(own, s.SiteURL+"/media")
	}
	return append(own, s.FormerURLs...)
}

// readOwn reads the stored addresses and adds the configured ones. stored is nil if there are none.
func (s *Media) readOwn(ctx context.Context) (own refs.Own, stored *table.Item, err error) {
	stored, err = s.Store.Get(ctx, addressesKey())
	if err == nil {
		err = db.Unmarshal(stored.Body, &own)
	}
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return nil, nil, err
	}
	for _, base := range s.configuredAddresses() {
		if base != "" && !slices.Contains(own, base) {
			own = append(own, base)
		}
	}
	return own, stored, nil
}

// RememberOwn stores the present addresses, so that they are known when the configuration has
// others. Only its first call in a process reads or writes. Call it before content is stored that
// may contain them.
func (s *Media) RememberOwn(ctx context.Context) error {
	if s.remembered.Load() {
		return nil
	}
	err := s.Store.Retry(ctx, func() error {
		own, stored, err := s.readOwn(ctx)
		if err != nil {
			return err
		}
		item, version := table.Item{Key: addressesKey(), Body: db.MustMarshal(own)}, int64(0)
		if stored != nil {
			if version = stored.Version; string(stored.Body) == string(item.Body) {
				return nil
			}
		}
		tx := s.Store.Begin()
		tx.Save(item, version)
		return s.Store.Commit(ctx, tx)
	})
	if err == nil {
		s.remembered.Store(true)
	}
	return err
}
