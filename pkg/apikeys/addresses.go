package apikeys

import (
	"context"
	"net/netip"

	"headless/pkg/db"
	"headless/pkg/input"
)

// lentToAddress is how many requests of an address in a minute a process answers before it counts
// them in the table. So most visitors cost no write.
const lentToAddress = 5

// addressLimits returns how many requests a minute one address may make with a publishable key, and
// how many of these may be searches and lists with filters (extensions §8).
func addressLimits(key *Key) (all, searches int64) {
	all = min(key.RateLimit, max(100, key.RateLimit/10))
	return all, min(key.RateLimit, max(10, all/10))
}

// CountAddress counts one request of an address in the current minute, so that one visitor cannot
// use up a publishable key. It reports false if a limit of the address is reached. If the counter
// cannot be reached, requests pass uncounted.
func (s *Store) CountAddress(ctx context.Context, key *Key, address netip.Addr, search bool) (bool, error) {
	network := input.Network(address)
	all, searches := addressLimits(key)
	if search {
		ok, err := s.countNetwork(ctx, "search\n"+key.ID+"\n"+network, searches)
		if err != nil || !ok {
			return false, err
		}
	}
	return s.countNetwork(ctx, key.ID+"\n"+network, all)
}

// countNetwork counts one request of a network. The name of its counter is a hash, since addresses
// are personal.
func (s *Store) countNetwork(ctx context.Context, name string, limit int64) (bool, error) {
	name = db.TokenHash("address\n" + name)
	k, done, err := s.addresses.lockFor(ctx, name, 10*maxLimiters)
	if err != nil {
		return false, err
	}
	defer done()
	_, ok, err := s.takeToken(ctx, k, name, limit, min(lentToAddress, limit))
	return ok, err
}
