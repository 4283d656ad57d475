// Package sortkey encodes values so that the bytes sort in the order of the values (decisions §3).
//
// What always holds: no encoding is a prefix of another, so a key can consist of several encoded
// values.
package sortkey

import (
	"bytes"
	"encoding/binary"
	"strings"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/collation"
)

// The first byte of an encoded value: kinds sort in this order, a missing value after every other.
const (
	tagBool    = 0x10
	tagNumber  = 0x20
	TagTime    = 0x30
	tagText    = 0x40
	tagObject  = 0x50
	TagMissing = 0xF0
)

// textEnd ends the encoding of a text: it sorts before every continuation.
const textEnd = "\x00\x01"

// MaxText is how many bytes of collation keys are compared. The texts of one part of a stored sort
// key share them. Longer texts with the same beginning count as equal.
const MaxText = 360

// Append appends an encoded value to dst. The bytes sort in the order of the values (decisions §3):
// numbers and dates by value, text by Unicode collation of lower case, a missing value last. No
// encoding is a prefix of another. Texts are cut to textMax bytes.
func Append(dst []byte, v query.Value, textMax int) []byte {
	switch v.Kind {
	case cms.ValueBool:
		if v.Bool {
			return append(dst, tagBool, 1)
		}
		return append(dst, tagBool, 0)
	case cms.ValueNumber:
		return AppendNumber(append(dst, tagNumber), v.Number)
	case cms.ValueTime:
		return AppendTime(append(dst, TagTime), v.Time)
	case cms.ValueText:
		return appendText(append(dst, tagText), v.Text, textMax)
	case cms.ValueObject:
		return append(dst, tagObject)
	}
	return append(dst, TagMissing)
}

// Encode encodes a single value, as the first part of a sort key.
func Encode(v query.Value) []byte { return Append(nil, v, MaxText) }

// Of encodes one value, alone or before others. The bytes sort in the order of the values, or in
// reverse order with desc.
func Of(v query.Value, desc bool) string {
	key := Encode(v)
	if desc {
		Invert(key)
	}
	return string(key)
}

// Len returns the length of the encoded value that b starts with. It is never more than the length
// of b, which may come from a cursor and be invalid.
func Len(b string) int {
	n := 1
	switch b[0] {
	case tagBool:
		n = 2
	case TagTime:
		n = 1 + 12
	case tagNumber:
		n = 1 + numberLen(b[1:])
	case tagText:
		n = strings.Index(b, textEnd) + len(textEnd)
	}
	return min(n, len(b))
}

func numberLen(b string) int {
	if len(b) < 4 || b[0] == 0x80 {
		return 1
	}
	end := byte(0xFF)
	if b[0] == 0xC0 {
		end = 0
	}
	return 3 + strings.IndexByte(b[3:], end) + 1
}

// MaxDigits is how many digits of a number are compared.
const MaxDigits = 40

// AppendNumber writes sign, exponent and digits; a negative number is the inverse of its absolute
// value.
func AppendNumber(dst []byte, d query.Decimal) []byte {
	if d.Digits == "" {
		return append(dst, 0x80)
	}
	from := len(dst)
	exp := min(max(d.Exp, -1<<14), 1<<14)
	dst = append(dst, 0xC0)
	dst = binary.BigEndian.AppendUint16(dst, uint16(exp+1<<15))
	dst = append(dst, d.Digits[:min(len(d.Digits), MaxDigits)]...)
	dst = append(dst, 0)
	if d.Neg {
		Invert(dst[from:])
	}
	return dst
}

// ParseNumber reverses AppendNumber, for numbers of at most MaxDigits digits.
func ParseNumber(b []byte) query.Decimal {
	if b[0] == 0x80 {
		return query.Decimal{}
	}
	b = bytes.Clone(b)
	d := query.Decimal{Neg: b[0] != 0xC0}
	if d.Neg {
		Invert(b)
	}
	d.Exp = int64(binary.BigEndian.Uint16(b[1:])) - 1<<15
	d.Digits = string(b[3 : len(b)-1])
	return d
}

func AppendTime(dst []byte, t time.Time) []byte {
	dst = binary.BigEndian.AppendUint64(dst, uint64(t.Unix())^1<<63)
	return binary.BigEndian.AppendUint32(dst, uint32(t.Nanosecond()))
}

func ParseTime(b []byte) time.Time {
	return time.Unix(int64(binary.BigEndian.Uint64(b)^1<<63), int64(binary.BigEndian.Uint32(b[8:]))).UTC()
}

// appendText writes the collation key with its zero bytes escaped, and an end that sorts before any
// continuation.
func appendText(dst []byte, s string, limit int) []byte {
	from := len(dst)
	for _, b := range collation.Key(s) {
		if len(dst)-from >= limit {
			break
		}
		dst = append(dst, b)
		if b == 0 {
			dst = append(dst, 0xFF)
		}
	}
	return append(dst, textEnd...)
}

// CompareText compares texts in the order of lists: by Unicode collation of lower case.
func CompareText(a, b string) int { return bytes.Compare(collation.Key(a), collation.Key(b)) }

func Invert(b []byte) {
	for i := range b {
		b[i] = ^b[i]
	}
}

// After returns the smallest sort key after key and all keys that start with it.
func After(key string) string {
	b := []byte(key)
	for len(b) > 0 && b[len(b)-1] == 0xFF {
		b = b[:len(b)-1]
	}
	if len(b) == 0 {
		return ""
	}
	b[len(b)-1]++
	return string(b)
}
