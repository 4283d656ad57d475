package inspect

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"testing"

	"headless/pkg/assets/picture"
	"headless/pkg/assets/upload"
	"headless/pkg/cms"
)

// bomb is a PNG whose header claims more pixels than any memory holds.
func bomb(t testing.TB) []byte {
	file := pngFile(t, 1, 1)
	header := file[12:29] // IHDR with its checksum's reach
	binary.BigEndian.PutUint32(header[4:], 1<<30)
	binary.BigEndian.PutUint32(header[8:], 1)
	binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(header))
	return file
}

func TestDimensions(t *testing.T) {
	wide := jpegFile(t, 300, 200)
	tests := []struct {
		name, kind string
		file       []byte
		w, h       int
	}{
		{"png", mimePNG, pngFile(t, 300, 200), 300, 200},
		{"png bomb", mimePNG, bomb(t), 1 << 30, 1},
		{"gif", mimeGIF, gifFile(t, 300, 200), 300, 200},
		{"jpeg", mimeJPEG, wide, 300, 200},
		{"jpeg upright", mimeJPEG, turned(wide, binary.LittleEndian, 1), 300, 200},
		{"jpeg upside down", mimeJPEG, turned(wide, binary.BigEndian, 3), 300, 200},
		{"jpeg on its side", mimeJPEG, turned(wide, binary.BigEndian, 6), 200, 300},
		{"jpeg on its side, little-endian", mimeJPEG, turned(wide, binary.LittleEndian, 8), 200, 300},
		{"jpeg of no known orientation", mimeJPEG, turned(wide, binary.LittleEndian, 9), 300, 200},
		{"jpeg, last bytes missing", mimeJPEG, wide[:len(wide)-20], 300, 200},
		{"jpeg, header missing", mimeJPEG, wide[:20], 0, 0},
		{"png on its side", mimePNG, turnedPNG(pngFile(t, 300, 200), 6), 200, 300},
		{"png upside down", mimePNG, turnedPNG(pngFile(t, 300, 200), 3), 300, 200},
		{"webp on its side", mimeWebP, turnedWebP(0x08, 1, 6), 200, 300},
		{"webp, EXIF data after many pixels", mimeWebP, turnedWebP(0x08, 8<<10, 8), 200, 300},
		{"animated webp on its side", mimeWebP, turnedWebP(0x0A, 1, 5), 200, 300},
		{"webp that says it has no EXIF data", mimeWebP, turnedWebP(0, 1, 6), 300, 200},
		{"webp lossy", mimeWebP, webpLossy, 300, 200},
		{"webp lossless", mimeWebP, webpLossless, 300, 200},
		{"webp extended", mimeWebP, webpExtended, 300, 200},
		{"avif", mimeAVIF, avifFile("avif", 300, 200, 0), 300, 200},
		{"avif turned", mimeAVIF, avifFile("avif", 300, 200, 1), 200, 300},
		{"avif upside down", mimeAVIF, avifFile("avif", 300, 200, 2), 300, 200},
		{"avif cut short", mimeAVIF, avifFile("avif", 300, 200, 0)[:200], 0, 0},
		{"avif of huge claims", mimeAVIF,
			[]byte("\x00\x00\x00\x01meta\xff\xff\xff\xff\xff\xff\xff\xff"), 0, 0},
		{"another type", "application/pdf", pngFile(t, 2, 2), 0, 0},
		{"nothing", mimePNG, nil, 0, 0},
	}
	for _, test := range tests {
		w, h, ok := Dimensions(bytes.NewReader(test.file), test.kind)
		if w != test.w || h != test.h || ok != (test.w > 0) {
			t.Errorf("%s: %d x %d, %v; want %d x %d", test.name, w, h, ok, test.w, test.h)
		}
	}
}

func TestSVGSize(t *testing.T) {
	tests := []struct {
		attributes string
		w, h       int
	}{
		{`width="30" height="20"`, 30, 20},
		{`width="30px" height=" 20 px "`, 30, 20},
		{`width="1in" height="25.4mm"`, 96, 96},
		{`width="72pt" height="2.54cm" viewBox="0 0 1 1"`, 96, 96},
		{`viewBox="0 0 30 20"`, 30, 20},
		{`viewBox="-5,-5,30.4,19.6"`, 30, 20},
		{`width="100%" height="100%" viewBox="0 0 30 20"`, 30, 20},
		{`width="60" viewBox="0 0 30 20"`, 60, 40},
		{`height="40" viewBox="0 0 30 20"`, 60, 40},
		{`width="30"`, 0, 0},
		{`width="100%" height="2em"`, 0, 0},
		{`width="-3" height="3"`, 0, 0},
		{`viewBox="0 0 0 20"`, 0, 0},
		{`viewBox="0 0 NaN Inf"`, 0, 0},
		{`width="1e9" height="99999999999"`, 0, 0},
		{``, 0, 0},
	}
	for _, test := range tests {
		file := `<?xml version="1.0"?><!-- a --><svg ` + test.attributes + `></svg>`
		w, h, ok := Dimensions(bytes.NewReader([]byte(file)), upload.MimeSVG)
		if w != test.w || h != test.h || ok != (test.w > 0) {
			t.Errorf("%s: %d x %d, %v", test.attributes, w, h, ok)
		}
	}
}

// countingReader is an endless picture that notes how much of it was read.
type countingReader struct {
	head io.Reader
	read int64
}

func (r *countingReader) Read(p []byte) (int, error) {
	n, err := r.head.Read(p)
	if err == io.EOF {
		clear(p)
		n = len(p)
	}
	r.read += int64(n)
	return n, nil
}

// TestInspectIsBounded gives headers followed by bytes without end: no parser may chase them.
func TestInspectIsBounded(t *testing.T) {
	files := map[string][]byte{
		"a.png": bomb(t), "a.jpg": jpegFile(t, 2, 2), "b.jpg": {0xFF, 0xD8, 0xFF, 0xE0, 0, 2},
		"a.gif": []byte("GIF89a"), "a.webp": webpExtended,
		"a.avif": avifFile("avif", 2, 2, 0),
		"b.avif": []byte("\x00\x00\x00\x10ftypavif\x00\x00\x00\x00\x7f\xff\xff\xffmdat"),
		"a.svg":  []byte(plainSVG), "a.pdf": []byte("%PDF-1.7"),
	}
	for name, head := range files {
		r := &countingReader{head: bytes.NewReader(head)}
		_, _ = Policy{Allowed: DefaultAllowed()}.Inspect(name, r)
		if r.read > headBytes+picture.MaxHeader {
			t.Errorf("%s: %d bytes read", name, r.read)
		}
	}
}

func TestInspect(t *testing.T) {
	policy := Policy{Allowed: DefaultAllowed()}
	file, err := policy.Inspect("a.png", bytes.NewReader(pngFile(t, 300, 200)))
	if want := (upload.File{Mime: mimePNG, Width: 300, Height: 200}); file != want || err != nil {
		t.Errorf("%+v, %v", file, err)
	}
	file, err = policy.Inspect("a.txt", bytes.NewReader([]byte("hello")))
	if want := (upload.File{Mime: mimeText}); file != want || err != nil {
		t.Errorf("%+v, %v", file, err)
	}
	_, err = policy.Inspect("a.png", bytes.NewReader(pngFile(t, 2, 2)[:20]))
	if known, ok := errors.AsType[*cms.Error](err); !ok || known.Code != cms.CodeValidationFailed ||
		len(known.Details["file"]) != 1 {
		t.Errorf("cut short: %v", err)
	}
	broken := errors.New("broken")
	if _, err := policy.Inspect("a.png", errorReader{broken}); !errors.Is(err, broken) {
		t.Errorf("unreadable: %v", err)
	}
}

type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) { return 0, r.err }

func FuzzDimensions(f *testing.F) {
	kinds := []string{mimeJPEG, mimePNG, mimeGIF, mimeWebP, mimeAVIF, upload.MimeSVG}
	f.Add(turned(jpegFile(f, 3, 2), binary.LittleEndian, 6))
	f.Add(pngFile(f, 3, 2))
	f.Add(gifFile(f, 3, 2))
	f.Add(webpLossy)
	f.Add(webpLossless)
	f.Add(webpExtended)
	f.Add(avifFile("avif", 3, 2, 1))
	f.Add([]byte(plainSVG))
	f.Fuzz(func(t *testing.T, file []byte) {
		for _, kind := range kinds {
			if w, h, ok := Dimensions(bytes.NewReader(file), kind); ok != (w > 0 && h > 0) {
				t.Errorf("%s: %d x %d, %v", kind, w, h, ok)
			}
		}
	})
}
