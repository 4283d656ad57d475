package content

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/site"
	"headless/pkg/table"
)

// singlePlace is the unique "field" that limits a single-type model to one entry per locale.
const singlePlace = "#single"

// uniques returns the partitions of values that no other entry of the model and locale may have.
func uniques(m *site.Model, keyLocale string, e *cms.Entry) []string {
	var list []string
	if m.Kind == cms.KindSingle {
		list = append(list, uniqueKey(m.ID, keyLocale, singlePlace, "").Partition)
	}
	for i := range m.Fields {
		if p := uniqueValue(m, keyLocale, &m.Fields[i], e); p != "" {
			list = append(list, p)
		}
	}
	return list
}

// uniqueValue returns the partition of an entry's value in a field, "" if it has none or the field
// is not unique.
func uniqueValue(m *site.Model, keyLocale string, f *cms.Field, e *cms.Entry) string {
	if !f.Unique {
		return ""
	}
	for _, v := range query.Values(&m.Model, e, "data."+f.Name) {
		sum := sha256.Sum256([]byte(index.ValueCounter(f.Name, v)))
		return uniqueKey(m.ID, keyLocale, f.Name, hex.EncodeToString(sum[:12])).Partition
	}
	return ""
}

// swapUniques reserves the values now for an entry, and adds the deletion of its former
// reservations to rest.
func swapUniques(t *db.Tx, rest *db.Rest, was, now []string, id string) {
	held := map[string]bool{}
	for _, p := range was {
		held[p] = true
	}
	for _, p := range now {
		if held[p] {
			delete(held, p)
			continue
		}
		createClaim(t, uniqueRow(p), id, uniqueTaken(p))
	}
	for p := range held {
		rest.Delete(uniqueRow(p))
	}
}

// createClaim reserves a row for an entry. If another entry has it, the commit returns taken. If the entry has it
// itself, the commit returns ErrOvertaken: build has made the claim, or an earlier change, which was committed
// before another generation of the index became the listed one, still has to remove it. So it does if the row was
// removed in the meantime.
func createClaim(t *db.Tx, key table.Key, id string, taken error) {
	t.Create(table.Item{Key: key, Body: []byte(id)}, &db.Repair{Do: func(ctx context.Context) error {
		item, err := t.DB.Get(ctx, key)
		if errors.Is(err, db.ErrNotFound) || err == nil && string(item.Body) == id {
			return db.ErrOvertaken
		}
		return cmp.Or(err, taken)
	}})
}

func uniqueRow(partition string) table.Key { return table.Key{Partition: partition, Sort: "u"} }

// uniqueTaken returns the error for a unique value that is taken, from the value's partition.
func uniqueTaken(partition string) error {
	field := strings.Split(partition, "#")[3]
	if field == "" {
		return cms.Errorf(cms.CodeConflict, "This model has one entry a locale, and it exists already.")
	}
	return cms.Errorf(cms.CodeConflict, "Another entry has the same value in %q, which must be unique.", field)
}
