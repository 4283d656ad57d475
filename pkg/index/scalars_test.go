package index

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
)

// TestRowHoldsValues reads the values of documents from each of their rows, as they are written now and as
// they were when all values of the default order were among the others too.
func TestRowHoldsValues(t *testing.T) {
	spec := &IndexSpec{
		Paths: []IndexedPath{{Path: "title"}, {Path: "made"}, {Path: "sent"}, {Path: "rank"},
			{Path: "+rank+title", Parts: []string{"rank", "title"}}},
		Values: func(doc any, path string) []query.Value {
			if v, ok := doc.(map[string]query.Value)[path]; ok {
				return []query.Value{v}
			}
			return nil
		},
	}
	at := func() query.Value {
		return query.Value{Kind: cms.ValueTime, Time: time.UnixMicro(rand.Int64N(1 << 60)).UTC()}
	}
	rank, _ := query.ParseValue(cms.ValueNumber, "-12.5")
	text := query.Value{Kind: cms.ValueText, Text: "A title\x00 of bytes"}
	for _, order := range [][]query.SortField{
		{{Path: "sent", Desc: true}, {Path: "made", Desc: true}}, {{Path: "sent"}, {Path: "made", Desc: true}},
		{{Path: "rank", Desc: true}, {Path: "title", Desc: true}, {Path: "made"}}, {{Path: "title"}, {Path: "sent"}},
	} {
		spec.Order = order
		for _, doc := range []map[string]query.Value{
			{}, {"title": text, "made": at(), "sent": at(), "rank": rank}, {"title": text, "made": at()},
			{"sent": at(), "rank": rank},
		} {
			x, id := spec.Index("space", doc), uuid.Must(uuid.NewV7())
			x.SetLabel("de", false)
			written := spec.Scalars(doc)
			spec.Order = nil
			earlier := spec.Scalars(doc)
			spec.Order = order
			if len(written) >= len(earlier) {
				t.Errorf("%d bytes of values, %d before", len(written), len(earlier))
			}
			for path, values := range x.Rows {
				for _, scalars := range [][]byte{written, earlier} {
					r := &Record{ID: id, path: path, row: rowKey(x.Space, path, values[0], x.Order, id).Sort, scalars: scalars}
					for _, p := range []string{"title", "made", "sent", "rank"} {
						if got, ok := spec.inRow(r, p); !ok || !reflect.DeepEqual(got, spec.Values(doc, p)) {
							t.Errorf("ordered by %v, the row %q has %v, %t at %s, want %v", order, path, got, ok, p, spec.Values(doc, p))
						}
					}
				}
			}
		}
	}
}
