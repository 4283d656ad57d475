package apikeys

import "context"

// Published reports whether a publishable key is valid now. Without one, no cache holds answers.
func (s *Store) Published(ctx context.Context) (bool, error) {
	keys, err := s.Keys(ctx)
	now := s.Now()
	for _, k := range keys {
		if k.IsPublishable() && (k.ExpiresAt.IsZero() || now.Before(k.ExpiresAt.Time)) {
			return true, err
		}
	}
	return false, err
}
