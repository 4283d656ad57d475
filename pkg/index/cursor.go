package index

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"headless/pkg/cms/query"
)

// queryCheck returns a digest of everything that decides which documents a list contains, and in
// which order.
func queryCheck(q ListQuery, defaultOrder []query.SortField) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "%v %v %q %q %q %t", q.Sort, defaultOrder, q.Filters, q.Text, q.Scope, q.Hits != nil)
	if q.Labels != nil {
		fmt.Fprintf(h, " %q", q.Labels.Name)
	}
	if q.Scores != nil {
		fmt.Fprintf(h, " by %q", q.Scores.Name)
	}
	return h.Sum(nil)
}

// scoreKey returns the sort key of a hit: the best score first, then by id.
func scoreKey(r *Record) string {
	return string(binary.BigEndian.AppendUint64(nil,
		math.MaxUint64-math.Float64bits(r.Score))) + string(r.ID[:])
}
