package segment

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// ErrDamaged is returned for bytes that no Writer wrote.
var ErrDamaged = errors.New("segment: damaged")

// riceBits is how many bits store the parameter of a block of Rice codes.
const riceBits = 5

// A Rice code of a number with parameter k is number >> k as zeros that a one ends, and then the k
// lowest bits. It is short if most numbers are below 2^(k+1).

// riceParameter returns the parameter by which numbers take the fewest bits.
func riceParameter(numbers []uint32) (best int) {
	least := uint64(1) << 62
	for k := range 1 << riceBits {
		size := uint64(len(numbers) * (k + 1))
		for _, n := range numbers {
			size += uint64(n >> k)
		}
		if size >= least {
			break // the size falls and then rises
		}
		best, least = k, size
	}
	return best
}

// bitWriter appends bits to bytes.
type bitWriter struct {
	out  []byte
	free int // bits of the last byte that are not used
}

func (w *bitWriter) bits(v uint64, n int) {
	for n > 0 {
		if w.free == 0 {
			w.out, w.free = append(w.out, 0), 8
		}
		take := min(n, w.free)
		part := v >> (n - take) & (1<<take - 1)
		w.out[len(w.out)-1] |= byte(part << (w.free - take))
		w.free -= take
		n -= take
	}
}

// rice appends a parameter and the codes of numbers.
func (w *bitWriter) rice(numbers []uint32) {
	k := riceParameter(numbers)
	w.bits(uint64(k), riceBits)
	for _, n := range numbers {
		for q := n >> k; q > 0; {
			zeros := min(q, 32)
			w.bits(0, int(zeros))
			q -= zeros
		}
		w.bits(1, 1)
		w.bits(uint64(n)&(1<<k-1), k)
	}
}

// bitReader reads what a bitWriter wrote.
type bitReader struct {
	in  []byte
	acc uint64 // the next bits, at the top
	n   int    // how many of acc are read
	bad bool   // read beyond the end
}

func (r *bitReader) fillBits() {
	for r.n <= 56 && len(r.in) > 0 {
		r.acc |= uint64(r.in[0]) << (56 - r.n)
		r.in, r.n = r.in[1:], r.n+8
	}
}

func (r *bitReader) bits(n int) uint32 {
	if n == 0 {
		return 0
	}
	if r.n < n {
		if r.fillBits(); r.n < n {
			r.bad = true
			return 0
		}
	}
	v := uint32(r.acc >> (64 - n))
	r.acc <<= n
	r.n -= n
	return v
}

// rice reads numbers. It stops at the end of the bytes; r.bad is set then.
func (r *bitReader) rice(numbers []uint32) {
	k := int(r.bits(riceBits))
	for i := range numbers {
		var q uint32
		for {
			if r.n == 0 {
				if r.fillBits(); r.n == 0 {
					r.bad = true
					return
				}
			}
			zeros := min(bits.LeadingZeros64(r.acc), r.n)
			q += uint32(zeros)
			if zeros < r.n {
				r.acc <<= zeros + 1
				r.n -= zeros + 1
				break
			}
			r.acc, r.n = 0, 0
		}
		numbers[i] = q<<k | r.bits(k)
	}
}

// parser reads numbers and strings off the front of bytes. After a failure, it returns zero values,
// and bad is set.
type parser struct {
	in  []byte
	bad bool
}

func (p *parser) uint() uint64 {
	v, n := binary.Uvarint(p.in)
	if n <= 0 {
		p.in, p.bad = nil, true
		return 0
	}
	p.in = p.in[n:]
	return v
}

// readCount reads a number of things that take at least size bytes each.
func (p *parser) readCount(size int) int {
	n := p.uint()
	if n > uint64(len(p.in)/size) {
		p.in, p.bad = nil, true
		return 0
	}
	return int(n)
}

func (p *parser) bytes(n uint64) []byte {
	if n > uint64(len(p.in)) {
		p.in, p.bad = nil, true
		return nil
	}
	b := p.in[:n:n]
	p.in = p.in[n:]
	return b
}

func (p *parser) string() string { return string(p.bytes(p.uint())) }

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// sharedPrefix returns the length of the common beginning of two strings.
func sharedPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// appendFront appends s without the beginning that it shares with the string before.
func appendFront(b []byte, before, s string) []byte {
	n := sharedPrefix(before, s)
	return appendString(binary.AppendUvarint(b, uint64(n)), s[n:])
}

// front reads what appendFront appended.
func (p *parser) front(before string) string {
	n := p.uint()
	if n > uint64(len(before)) {
		p.in, p.bad = nil, true
		return ""
	}
	return before[:n] + p.string()
}
