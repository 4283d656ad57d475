package bolt

import (
	"encoding/binary"
	"errors"

	"headless/pkg/table"
)

// A key is partition, NUL, sort key. Partitions have no NUL, so the bytes order by partition and
// then by sort key.
func appendKey(dst []byte, k table.Key) []byte {
	dst = append(dst, k.Partition...)
	dst = append(dst, 0)
	return append(dst, k.Sort...)
}

// encodeValue writes version, count and expiry as varints, then the body.
func encodeValue(i *table.Item) []byte {
	dst := binary.AppendVarint(nil, i.Version)
	dst = binary.AppendVarint(dst, i.Count)
	dst = binary.AppendVarint(dst, i.Expires)
	return append(dst, i.Body...)
}

var errCorrupt = errors.New("bolt: corrupt value")

// decodeValue reads a value. The body shares the memory of b, which is only valid in its
// transaction.
func decodeValue(b []byte) (item table.Item, err error) {
	for _, field := range [...]*int64{&item.Version, &item.Count, &item.Expires} {
		n, size := binary.Varint(b)
		if size <= 0 {
			return table.Item{}, errCorrupt
		}
		*field, b = n, b[size:]
	}
	if len(b) > 0 {
		item.Body = b
	}
	return item, nil
}

// expiryKey orders the expiry index by time; the rest is the key of the item.
func expiryKey(expires int64, key []byte) []byte {
	b := make([]byte, 8, 8+len(key))
	binary.BigEndian.PutUint64(b, uint64(expires))
	return append(b, key...)
}
