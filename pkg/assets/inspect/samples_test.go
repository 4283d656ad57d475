package inspect

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"headless/pkg/must"
)

func samplePicture(width, height int) image.Image {
	return image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.Black, color.White})
}

func pngFile(t testing.TB, width, height int) []byte {
	var out bytes.Buffer
	must.Do(t, png.Encode(&out, samplePicture(width, height)))
	return out.Bytes()
}

func gifFile(t testing.TB, width, height int) []byte {
	var out bytes.Buffer
	must.Do(t, gif.Encode(&out, samplePicture(width, height), nil))
	return out.Bytes()
}

func jpegFile(t testing.TB, width, height int) []byte {
	var out bytes.Buffer
	must.Do(t, jpeg.Encode(&out, samplePicture(width, height), nil))
	return out.Bytes()
}

// turned puts an Exif segment with an orientation after the start of a JPEG.
func turned(file []byte, order binary.AppendByteOrder, orientation uint16) []byte {
	segment := append([]byte("Exif\x00\x00"), exif(order, orientation)...)
	out := binary.BigEndian.AppendUint16(append(bytes.Clone(file[:2]), 0xFF, 0xFF, 0xE1),
		uint16(len(segment)+2)) // with a fill byte
	return append(append(out, segment...), file[2:]...)
}

// exif is EXIF data with an orientation.
func exif(order binary.AppendByteOrder, orientation uint16) []byte {
	mark := "II"
	if order == binary.AppendByteOrder(binary.BigEndian) {
		mark = "MM"
	}
	tiff := order.AppendUint32(order.AppendUint16([]byte(mark), 42), 8)
	tiff = order.AppendUint16(tiff, 2)
	tiff = append(order.AppendUint32(order.AppendUint16(order.AppendUint16(tiff, 0x010F), 2), 4),
		"abc\x00"...)
	tiff = order.AppendUint32(order.AppendUint16(order.AppendUint16(tiff, 0x0112), 3), 1)
	return append(order.AppendUint16(tiff, orientation), 0, 0)
}

// turnedPNG puts EXIF data with an orientation before the pixels of a PNG.
func turnedPNG(file []byte, orientation uint16) []byte {
	data := exif(binary.BigEndian, orientation)
	chunk := append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), "eXIf"...)
	chunk = append(chunk, data...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	at := bytes.Index(file, []byte("IDAT")) - 4
	return append(append(bytes.Clone(file[:at]), chunk...), file[at:]...)
}

// turnedWebP is a WebP of 300 by 200 with some kilobytes of pixels, and EXIF data after these. flags are those of VP8X.
func turnedWebP(flags byte, kilobytes int, orientation uint16) []byte {
	file := append(bytes.Clone(webpExtended), "VP8L"...)
	file[20] = flags
	file = append(binary.LittleEndian.AppendUint32(file, uint32(5+kilobytes<<10)), webpLossless[20:25]...)
	file = append(file, make([]byte, kilobytes<<10+1)...) // with a fill byte
	data := exif(binary.LittleEndian, orientation)
	return append(append(binary.LittleEndian.AppendUint32(append(file, "EXIF"...), uint32(len(data))), data...), 0, 0)
}

func webpFile(kind string, payload ...byte) []byte {
	out := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(12+len(payload)))
	out = binary.LittleEndian.AppendUint32(append(out, "WEBP"+kind...), uint32(len(payload)))
	return append(out, payload...)
}

// The three kinds of WebP, each 300 by 200.
var (
	webpLossy    = webpFile("VP8 ", 0x10, 0x02, 0x00, 0x9d, 0x01, 0x2a, 300&0xff, 300>>8, 200, 0)
	webpLossless = webpFile("VP8L", 0x2f, 299&0xff, 299>>8|(199&3)<<6, 199>>2, 0)
	webpExtended = webpFile("VP8X", 0, 0, 0, 0, 299&0xff, 299>>8, 0, 199, 0, 0)
)

func isoBox(kind string, parts ...[]byte) []byte {
	data := bytes.Join(parts, nil)
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(len(data)+8)), kind...), data...)
}

func ispe(width, height uint32) []byte {
	return isoBox("ispe",
		binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(make([]byte, 4), width), height))
}

// avifFile has a thumbnail (item 1) beside its primary item (2), with a rotation in quarter turns.
func avifFile(brand string, width, height uint32, turns byte) []byte {
	return bytes.Join([][]byte{
		isoBox("ftyp", []byte(brand), make([]byte, 4), []byte("miafavif")),
		isoBox("free", make([]byte, 100)),
		isoBox("meta", make([]byte, 4),
			isoBox("pitm", make([]byte, 4), []byte{0, 2}),
			isoBox("iprp",
				isoBox("ipco", ispe(16, 16), ispe(width, height), isoBox("irot", []byte{turns})),
				isoBox("ipma", make([]byte, 4), []byte{0, 0, 0, 2}, []byte{0, 1, 1, 1},
					[]byte{0, 2, 2, 2, 0x83}),
			),
		),
	}, nil)
}

func zipFile(t testing.TB, names ...string) []byte {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, name := range names {
		w, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		must.Do(t, err)
		_, err = w.Write([]byte(strings.Repeat("x", 3000)))
		must.Do(t, err)
	}
	must.Do(t, archive.Close())
	return out.Bytes()
}
