package site

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"time"

	"headless/pkg/db"
	"headless/pkg/table"
)

// The configuration is many items. DynamoDB may show a query only part of a transaction. So the
// version item has a digest of the ids and versions of the documents, and a reader repeats the
// query until they match.

// siteVersions are the versions of the site's documents, by id.
type siteVersions map[string]int64

func (v siteVersions) digest() []byte {
	h := fnv.New64a()
	for _, id := range slices.Sorted(maps.Keys(v)) {
		fmt.Fprintf(h, "%d %s\n", v[id], id)
	}
	return binary.BigEndian.AppendUint64(nil, h.Sum64())
}

// digestBytes is the length of a digest. The byte after it is the format of the table's rows.
const digestBytes = 8

func formatOf(version *table.Item) int {
	if len(version.Body) == digestBytes+1 {
		return int(version.Body[digestBytes])
	}
	return 0
}

func versionsOf(items []table.Item) siteVersions {
	v := make(siteVersions, len(items))
	for i := range items {
		v[items[i].Sort] = items[i].Version
	}
	return v
}

// seal completes the version items of a changed configuration. It raises the fence if a model changes,
// or if a locale is deactivated or becomes or ceases to be the default. Other changes do not make any
// write invalid. Only a closed model can be deleted.
func seal(t *db.Tx, site *Site) {
	versions, fence := maps.Clone(site.versions), site.fence
	if versions == nil {
		versions = siteVersions{}
	}
	for i := range t.Ops {
		op := &t.Ops[i]
		if op.Item.Partition != db.DocPartition(siteKind) {
			continue
		}
		_, known := versions[op.Item.Sort]
		if strings.HasPrefix(op.Item.Sort, modelPrefix) && known && op.Kind == table.Put ||
			strings.HasPrefix(op.Item.Sort, localePrefix) && forbidsWrites(t, site, op) {
			fence = site.fence + 1
		}
		if op.Kind == table.Delete {
			delete(versions, op.Item.Sort)
		} else {
			versions[op.Item.Sort] = op.Item.Version
		}
	}
	digest := versions.digest()
	for i := range t.Ops {
		if item := &t.Ops[i].Item; t.Ops[i].Kind == table.Put && isConfigKey(item.Key) {
			item.Body, item.Count = append(digest, db.Format), fence
		}
	}
	if fence != site.fence {
		t.Then(func(ctx context.Context) error { return raiseFence(ctx, t.DB, fence) })
	}
}

// forbidsWrites reports whether a change of a locale makes a write invalid that was valid before.
func forbidsWrites(t *db.Tx, site *Site, op *table.Op) bool {
	before, known := site.docs.locales[strings.TrimPrefix(op.Item.Sort, localePrefix)]
	if !known || op.Kind == table.Delete {
		return known
	}
	now, err := locales(t.DB).Decode(op.Item)
	return err != nil || before.Value.IsActive && !now.Value.IsActive || before.Value.IsDefault != now.Value.IsDefault
}

const (
	settleTries = 40
	settlePause = 5 * time.Millisecond // before the second try; half a second before the last
)

// siteItems reads the documents of the site and the matching version item. first is a version item
// that was just read.
func (s *Store) siteItems(ctx context.Context, first *table.Item) (version *table.Item,
	items []table.Item, err error) {
	version = first
	for try := range settleTries {
		if version != nil {
			found := formatOf(version)
			if err := db.RequireFormat(found); err != nil && !(s.upgrading && found == db.Format-1) {
				return nil, nil, err
			}
		}
		items, err = s.Table.Query(ctx, table.Range{Partition: db.DocPartition(siteKind)})
		if err != nil {
			return nil, nil, err
		}
		if version == nil && len(items) == 0 || version != nil &&
			string(version.Body[:digestBytes]) == string(versionsOf(items).digest()) {
			return version, items, nil
		}
		if err := table.Pause(ctx, min(settlePause<<min(try, 7), 500*time.Millisecond)); err != nil {
			return nil, nil, err
		}
		found, err := s.Table.Get(ctx, table.Strong, ConfigKey(db.RandomShard()))
		if err != nil {
			return nil, nil, err
		}
		version = found[0]
	}
	return nil, nil, fmt.Errorf("%w: the configuration keeps changing", table.ErrUnavailable)
}
