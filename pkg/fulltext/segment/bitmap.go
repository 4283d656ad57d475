package segment

import "math/bits"

// Bitmap is a set of numbers of documents.
type Bitmap []uint64

// NewBitmap returns an empty set of numbers below n.
func NewBitmap(n int) Bitmap { return make(Bitmap, (n+63)/64) }

// Set adds a number. It ignores those beyond the end, which only a damaged header has.
func (b Bitmap) Set(n int) {
	if n/64 < len(b) {
		b[n/64] |= 1 << (n % 64)
	}
}

// Has reports whether a number is in the set.
func (b Bitmap) Has(n int) bool { return b[n/64]&(1<<(n%64)) != 0 }

// Count returns how many numbers from..to-1 are in the set.
func (b Bitmap) Count(from, to int) (n int) {
	for at := from; at < to; {
		word := b[at/64] >> (at % 64)
		size := min(64-at%64, to-at)
		if size < 64 {
			word &= 1<<size - 1
		}
		n += bits.OnesCount64(word)
		at += size
	}
	return n
}
