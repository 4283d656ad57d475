package table

// The attributes of an item on DynamoDB. The size of an item includes their names, so all adapters
// know them.
const (
	AttrPartition = "pk" // string
	AttrSort      = "sk" // binary
	AttrVersion   = "v"  // number; missing: 0
	AttrCount     = "n"  // number; missing: 0
	AttrBody      = "d"  // binary; missing: nil
	AttrExpires   = "x"  // number, the TTL attribute; missing: never
)

// Size returns the item's size in bytes by DynamoDB's rules: the names and values of its
// attributes.
func (i *Item) Size() int {
	size := i.Key.Size()
	for _, n := range [...]int64{i.Version, i.Count, i.Expires} {
		if n != 0 {
			size += 1 + numberSize(n)
		}
	}
	if len(i.Body) > 0 {
		size += len(AttrBody) + len(i.Body)
	}
	return size
}

// Size returns the size that the key adds to an item.
func (k Key) Size() int {
	return len(AttrPartition) + len(k.Partition) + len(AttrSort) + len(k.Sort)
}

// numberSize returns the size of a number: one byte, one for every two significant digits, one for
// a negative sign. Pairs of digits are aligned at the decimal point, so 100 has one pair, and 1000
// (10 00) too.
func numberSize(n int64) int {
	if n == 0 {
		return 1
	}
	size := 1
	if n < 0 {
		size++
	}
	for n%100 == 0 {
		n /= 100
	}
	for ; n != 0; n /= 100 {
		size++
	}
	return size
}
