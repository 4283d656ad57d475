package inspect

import (
	"bufio"
	"encoding/binary"
	"io"

	"headless/pkg/assets/picture"
)

// box is one box of the ISO base media file format.
type box struct {
	kind string
	data []byte
}

// avifSize finds the spatial extents and the rotation of the primary item in the meta box (ISO/IEC
// 23008-12).
func avifSize(r *bufio.Reader) (width, height int, ok bool) {
	meta, ok := findMeta(r)
	if !ok || len(meta) < 4 {
		return 0, 0, false
	}
	var primary uint32
	var properties []box
	var associations []byte
	for _, b := range boxes(meta[4:]) {
		switch b.kind {
		case "pitm":
			primary = primaryItem(b.data)
		case "iprp":
			for _, b := range boxes(b.data) {
				switch b.kind {
				case "ipco":
					properties = boxes(b.data)
				case "ipma":
					associations = b.data
				}
			}
		}
	}
	sideways := false
	for _, index := range propertyIndexes(associations, primary) {
		if index < 1 || index > len(properties) {
			continue
		}
		switch property := properties[index-1]; {
		case property.kind == "ispe" && len(property.data) >= 12:
			width, height = int(binary.BigEndian.Uint32(property.data[4:])),
				int(binary.BigEndian.Uint32(property.data[8:]))
		case property.kind == "irot" && len(property.data) >= 1:
			sideways = property.data[0]&1 == 1 // quarter turns
		}
	}
	if sideways {
		width, height = height, width
	}
	return width, height, width > 0 && height > 0
}

// findMeta reads the top-level meta box.
func findMeta(r *bufio.Reader) ([]byte, bool) {
	for {
		var header [8]byte
		if _, err := io.ReadFull(r, header[:]); err != nil {
			return nil, false
		}
		size := int64(binary.BigEndian.Uint32(header[:])) - 8
		if size == 1-8 { // a 64-bit size follows
			var large [8]byte
			if _, err := io.ReadFull(r, large[:]); err != nil {
				return nil, false
			}
			size = int64(binary.BigEndian.Uint64(large[:])) - 16
		}
		if size < 0 || size > picture.MaxHeader { // size 0 means "to the end": no box follows
			return nil, false
		}
		if string(header[4:]) != "meta" {
			if _, err := r.Discard(int(size)); err != nil {
				return nil, false
			}
			continue
		}
		meta, err := io.ReadAll(io.LimitReader(r,
			size)) // the buffer grows with the actual content, not with the size in the header
		return meta, err == nil && int64(len(meta)) == size
	}
}

// boxes splits the content of a box. It leaves out damaged boxes.
func boxes(data []byte) []box {
	var found []box
	for len(data) >= 8 {
		size := int64(binary.BigEndian.Uint32(data))
		if size < 8 || size > int64(len(data)) {
			break
		}
		found = append(found, box{string(data[4:8]), data[8:size]})
		data = data[size:]
	}
	return found
}

func primaryItem(pitm []byte) uint32 {
	switch {
	case len(pitm) >= 6 && pitm[0] == 0:
		return uint32(binary.BigEndian.Uint16(pitm[4:]))
	case len(pitm) >= 8:
		return binary.BigEndian.Uint32(pitm[4:])
	}
	return 0
}

// propertyIndexes lists the property indexes, starting at 1, that an ipma box assigns to an item.
func propertyIndexes(ipma []byte, item uint32) []int {
	c := cursor{data: ipma}
	version, flags := c.readNumber(1), c.readNumber(3)
	idBytes, indexBytes := 2, 1
	if version >= 1 {
		idBytes = 4
	}
	if flags&1 == 1 {
		indexBytes = 2
	}
	for range c.readNumber(4) {
		id, count := c.readNumber(idBytes), c.readNumber(1)
		indexes := make([]int, count)
		for i := range indexes {
			indexes[i] = int(c.readNumber(indexBytes) &^ (0x80 << (8 * (indexBytes - 1)))) // the first bit says "essential"
		}
		if c.short {
			return nil
		}
		if id == item {
			return indexes
		}
	}
	return nil
}

// cursor reads big-endian numbers; past the end they are 0 and short is set.
type cursor struct {
	data  []byte
	short bool
}

func (c *cursor) readNumber(bytes int) uint32 {
	if len(c.data) < bytes {
		c.data, c.short = nil, true
		return 0
	}
	var n uint32
	for _, b := range c.data[:bytes] {
		n = n<<8 | uint32(b)
	}
	c.data = c.data[bytes:]
	return n
}
