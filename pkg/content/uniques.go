package content

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/site"
	"headless/pkg/table"
)

// singlePlace is the unique "field" that keeps a single-type model to one entry a locale.
const singlePlace = "#single"

// uniques lists the partitions of the values that no other entry of the model and locale may hold.
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

// uniqueValue is the partition of an entry's value in a field, "" where it has none or the field is
// not unique.
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

// swapUniques reserves values for an entry in place of those that it held, which the rest of the
// change gives up.
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
		t.Create(table.Item{Key: uniqueRow(p), Body: []byte(id)},
			&db.Repair{Do: func(ctx context.Context) error {
				if item, err := t.DB.Get(ctx, uniqueRow(p)); err == nil && string(item.Body) == id {
					return db.ErrOvertaken // by the building of the entry's index
				}
				return uniqueTaken(p)
			}})
	}
	for p := range held {
		rest.Delete(uniqueRow(p))
	}
}

func uniqueRow(partition string) table.Key { return table.Key{Partition: partition, Sort: "u"} }

// uniqueTaken is the conflict over a unique value, by its partition.
func uniqueTaken(partition string) error {
	field := strings.Split(partition, "#")[3]
	if field == "" {
		return cms.Errorf(cms.CodeConflict, "This model has one entry a locale, and it exists already.")
	}
	return cms.Errorf(cms.CodeConflict,
		"Another entry has the same value in %q, which must be unique.", field)
}
