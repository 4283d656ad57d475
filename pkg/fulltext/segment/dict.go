package segment

import (
	"encoding/binary"
	"strings"
)

// Entry is an entry of the dictionary: a stem with its list, a value of a filter with its list, or
// a word that leads to its stem.
type Entry struct {
	Key  string // see StemKey and FilterKey
	Stem string // to which a word leads; "" for the other kinds
	Self bool   // some document has the stem itself as a written word

	Inline         []byte // the stored list, if it is short
	Offset, Length int    // where it is in the section Lists, if it is long
}

const (
	kindWord = iota
	kindStem
	kindSelf  // a stem that is also a written word
	maxInline = 512
)

// StemKey returns the dictionary key of a stem or a word. Locales keep the words of languages apart.
func StemKey(locale, stem string) string { return locale + "\x00" + stem }

// FilterKey returns the dictionary key of a value of a filter, among the entries of one index.
func FilterKey(name, value string) string { return "\xff" + name + "\x00" + value }

// order returns the string by which entries are sorted.
func (e *Entry) order() string {
	if e.Stem != "" {
		return e.Key + "\x00" + e.Stem
	}
	return e.Key
}

// append appends an entry to a page whose last key is before.
func (e *Entry) append(b []byte, before string) []byte {
	b = appendFront(b, before, e.Key)
	switch {
	case e.Stem != "":
		// From the word "happy" after its locale, cut one byte and append "i".
		_, word, _ := strings.Cut(e.Key, "\x00")
		n := sharedPrefix(word, e.Stem)
		b = binary.AppendUvarint(append(b, kindWord), uint64(len(word)-n))
		return appendString(b, e.Stem[n:])
	case e.Self:
		b = append(b, kindSelf)
	default:
		b = append(b, kindStem)
	}
	if e.Inline != nil {
		b = binary.AppendUvarint(b, uint64(len(e.Inline))<<1|1)
		return append(b, e.Inline...)
	}
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(e.Length)<<1), uint64(e.Offset))
}

// Scan calls visit for the entries of a dictionary page, in order, until that returns false.
func (h *Header) Scan(page []byte, visit func(Entry) bool) error {
	p := parser{in: page}
	before := ""
	for len(p.in) > 0 {
		e := Entry{Key: p.front(before)}
		before = e.Key
		switch kind := p.bytes(1); {
		case p.bad:
		case kind[0] == kindWord:
			_, word, _ := strings.Cut(e.Key, "\x00")
			cut := p.uint()
			rest := p.string()
			if cut > uint64(len(word)) {
				return ErrDamaged
			}
			if e.Stem = word[:uint64(len(word))-cut] + rest; e.Stem == "" {
				return ErrDamaged
			}
		case kind[0] == kindStem, kind[0] == kindSelf:
			e.Self = kind[0] == kindSelf
			size := p.uint()
			if size&1 == 1 {
				e.Inline = p.bytes(size >> 1)
				break
			}
			offset := p.uint()
			if size>>1 > uint64(h.listBytes) || offset > uint64(h.listBytes)-size>>1 {
				return ErrDamaged
			}
			e.Offset, e.Length = int(offset), int(size>>1)
		default:
			return ErrDamaged
		}
		if p.bad {
			return ErrDamaged
		}
		if !visit(e) {
			return nil
		}
	}
	return nil
}

// List decodes the list of an entry. page returns pages of the section Lists.
func (h *Header) List(e Entry, page func(n int) ([]byte, error)) (List, error) {
	body := e.Inline
	if body == nil {
		body = make([]byte, 0, e.Length)
		at := e.Offset
		for end := e.Offset + e.Length; at < end; {
			part, err := page(at / room)
			if err != nil {
				return List{}, err
			}
			from, to := at%room, min(room, end-at/room*room)
			if to > len(part) {
				return List{}, ErrDamaged
			}
			body = append(body, part[from:to]...)
			at += to - from
		}
	}
	_, stem, _ := strings.Cut(e.Key, "\x00")
	return decodeList(body, stem, h.Docs)
}
