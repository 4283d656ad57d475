package inspect

import (
	"errors"
	"strings"
	"testing"

	"headless/pkg/assets/upload"
	"headless/pkg/cms"
)

const plainSVG = `<svg xmlns="http://www.w3.org/2000/svg" width="3" height="4"/>`

func TestSniff(t *testing.T) {
	docx := zipFile(t, "_rels/.rels", "docProps/app.xml", "docProps/thumbnail.jpeg",
		"[Content_Types].xml", "word/document.xml", "xl/book.bin")
	tests := []struct {
		name, head, want string
	}{
		{"jpeg", string(jpegFile(t, 2, 2)), mimeJPEG},
		{"png", string(pngFile(t, 2, 2)), mimePNG},
		{"gif", string(gifFile(t, 2, 2)), mimeGIF},
		{"webp", string(webpLossy), mimeWebP},
		{"avif", string(avifFile("avif", 2, 2, 0)), mimeAVIF},
		{"avif sequence", string(avifFile("avis", 2, 2, 0)), mimeAVIF},
		{"avif by a compatible brand", string(avifFile("mif1", 2, 2, 0)), mimeAVIF},
		{"heic", "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "image/heic"},
		{"svg", plainSVG, upload.MimeSVG},
		{"svg with all that may precede it",
			"\ufeff\n<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!-- <html> -->\n<!DOCTYPE svg [<!ENTITY a \"b\">]>\n" +
				plainSVG, upload.MimeSVG},
		{"svg by a prefix", `<s:svg xmlns:s="http://www.w3.org/2000/svg"/>`, upload.MimeSVG},
		{"pdf", "%PDF-1.7\n", "application/pdf"},
		{"mp4", "\x00\x00\x00\x18ftypisom\x00\x00\x00\x00isommp42", "video/mp4"},
		{"m4v", "\x00\x00\x00\x18ftypM4V \x00\x00\x00\x00isommp42", "video/mp4"},
		{"webm",
			"\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x84webm",
			"video/webm"},
		{"mp3", "ID3\x04\x00\x00\x00\x7f\x7f\x7f" + strings.Repeat("\x00", 5000), "audio/mpeg"},
		{"mp3 without tags", "\xff\xfb\x90\x64" + strings.Repeat("\x00", 413) + "\xff\xfb\x90\x64" +
			strings.Repeat("\x00", 413), "audio/mpeg"},
		{"text", "Grüße aus Köln.\n", mimeText},
		{"empty", "", mimeText},
		{"csv", "a,b,c\n1,2,3\n4,5,6\n", mimeCSV},
		{"zip", string(zipFile(t, "a.txt")), mimeZIP},
		{"empty zip", string(zipFile(t)), mimeZIP},
		{"docx", string(zipFile(t, "[Content_Types].xml", "_rels/.rels", "word/document.xml")), mimeDOCX},
		{"docx with late parts", string(docx), mimeDOCX},
		{"xlsx", string(zipFile(t, "[Content_Types].xml", "_rels/.rels", "xl/workbook.xml")), mimeXLSX},
		{"pptx", string(zipFile(t, "[Content_Types].xml", "_rels/.rels", "ppt/presentation.xml")), mimePPTX},
		{"jar", string(zipFile(t, "META-INF/MANIFEST.MF", "A.class")), "application/java-archive"},
		{"html", "<!DOCTYPE html><title>x</title><svg/>", "text/html"},
		{"script", "#!/bin/sh\nrm -rf /\n", "text/x-shellscript"},
		{"php", "<?php phpinfo();", "text/x-php"},
		{"windows program", "MZ\x90\x00\x03\x00\x00\x00", "application/vnd.microsoft.portable-executable"},
		{"elf", "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00",
			"application/x-executable"},
		{"gzip", "\x1f\x8b\x08\x00", "application/gzip"},
		{"noise", "\x00\x01\x02\x03\xfe", "application/octet-stream"},
	}
	for _, test := range tests {
		if got := sniff([]byte(test.head)); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestCheck(t *testing.T) {
	policy := Policy{Allowed: DefaultAllowed()}
	pngHead := string(pngFile(t, 2, 2))
	docx := string(zipFile(t, "[Content_Types].xml", "word/document.xml"))
	tests := []struct{ name, head, want string }{ // want "" is a refusal
		{"a.png", pngHead, mimePNG},
		{"A.PNG", pngHead, mimePNG},
		{"archive.tar.png", pngHead, mimePNG},
		{"no ending", pngHead, mimePNG},
		{"Version 1.2", pngHead, mimePNG},
		{"Dr. Müller", pngHead, mimePNG},
		{"ends with a dot.", pngHead, mimePNG},
		{"a.jpg", pngHead, ""},
		{"a.html", pngHead, ""},
		{"a.xyz", pngHead, ""},
		{"a.jpeg", string(jpegFile(t, 2, 2)), mimeJPEG},
		{"a.jpg", string(jpegFile(t, 2, 2)), mimeJPEG},
		{"a.svg", plainSVG, upload.MimeSVG},
		{"a.txt", plainSVG, ""},
		{"a.txt", "hello", mimeText},
		{"a.md", "# hello", mimeText},
		{"a.txt", "a,b\n1,2\n3,4\n", mimeText},
		{"a.txt", `{"a": 1}`, mimeText},
		{"a.csv", "just one line", mimeCSV},
		{"a.csv", "", mimeCSV},
		{"a", "hello", mimeText},
		{"a.txt", "", mimeText},
		{"a.jpg", "", ""},
		{"a.jpg", "hello", ""},
		{"a.json", `{"a": 1}`, ""},
		{"a.js", "alert(1)", ""},
		{"a.png", "<!DOCTYPE html><script>alert(1)</script>", ""},
		{"a.txt", "<html><script>alert(1)</script>", ""},
		{"a.html", "<html><script>alert(1)</script>", ""},
		{"a", "<html><script>alert(1)</script>", ""},
		{"a.svg", "<html><svg xmlns='http://www.w3.org/2000/svg'/></html>", ""},
		{"a.gif", "GIF89a/*<script>*/=1;alert(1)", mimeGIF}, // the type sent with it decides, with nosniff
		{"a.png", pngHead[:40] + "%PDF-1.4" + pngHead[40:], ""},
		{"a.pdf", "MZ%PDF-1.4", "application/pdf"},
		{"a.docx", docx, mimeDOCX},
		{"a.zip", docx, mimeZIP},
		{"a.xlsx", docx, ""},
		{"a.docx", string(zipFile(t, "evil.exe")), ""},
		{"a.zip", string(zipFile(t, "META-INF/MANIFEST.MF")), ""},
		{"a.exe", "MZ\x90\x00\x03\x00\x00\x00", ""},
		{"a.png", "\x89PN", ""},
	}
	for _, test := range tests {
		got, err := policy.Check(test.name, []byte(test.head))
		var known *cms.Error
		if got != test.want || (err == nil) != (test.want != "") || err != nil &&
			(!errors.As(err, &known) || known.Code != cms.CodeUnsupportedMedia) {
			t.Errorf("%s with %.20q: %q, %v; want %q", test.name, test.head, got, err, test.want)
		}
	}
}

// TestCheckMessages is read by people who chose the wrong file, or a damaged one.
func TestCheckMessages(t *testing.T) {
	policy := Policy{Allowed: DefaultAllowed()}
	app := zipFile(t, "classes.dex")
	if kind := sniff(app); kind != "application/vnd.android.package-archive" {
		t.Fatal(kind)
	}
	for _, test := range []struct {
		name    string
		content []byte
		want    string
	}{
		{"a.docx", app, "The content is a ZIP archive, which does not fit the ending .docx."},
		{"a.docx", app[:20], "The content is a ZIP archive, which does not fit the ending .docx."},
		{"a.xlsx", zipFile(t, "[Content_Types].xml", "word/document.xml"),
			"The content is a Word document, which does not fit the ending .xlsx."},
		{"a.png", nil, "The file is empty."},
		{"a.png", []byte("hello"), "The content is plain text, which does not fit the ending .png."},
		{"a.png", []byte("\x00\x01\x02"),
			"The content is of an unknown type, which does not fit the ending .png."},
		{"a.jpg", pngFile(t, 1, 1), "The content is image/png, which does not fit the ending .jpg."},
		{"a.exe", []byte("MZ\x90\x00"),
			"Files of the type application/vnd.microsoft.portable-executable are not accepted."},
	} {
		if _, err := policy.Check(test.name, test.content); err == nil ||
			!strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}

func TestCheckConfigured(t *testing.T) {
	tests := []struct {
		allowed, name, head string
		ok                  bool
	}{
		{"image/*", "a.bmp", "BM\x3a\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00\x00\x00", true},
		{"image/*", "a.tif", "II*\x00\x08\x00\x00\x00", true},
		{"image/png", "a.gif", "GIF89a", false},
		{"application/json", "a.json", `{"a": 1}`, true},
		{"*/*", "a.html", "<html></html>", true},
		{"", "a.txt", "x", false},
	}
	for _, test := range tests {
		_, err := Policy{Allowed: strings.Fields(test.allowed)}.Check(test.name, []byte(test.head))
		if (err == nil) != test.ok {
			t.Errorf("%s: %s: %v", test.allowed, test.name, err)
		}
	}
}

func TestMatchMime(t *testing.T) {
	tests := []struct {
		pattern, mime string
		want          bool
	}{
		{"image/png", "image/png", true},
		{"IMAGE/*", "image/png", true},
		{" image/* ", "image/png", true},
		{"image/*", "imagery/png", false},
		{"image", "image/png", false},
		{"*/*", "a/b", true},
		{"*", "a/b", true},
		{"", "a/b", false},
		{"image/p*", "image/png", false},
	}
	for _, test := range tests {
		if got := MatchMime(test.pattern, test.mime); got != test.want {
			t.Errorf("MatchMime(%q, %q) = %v", test.pattern, test.mime, got)
		}
	}
}

func FuzzSniff(f *testing.F) {
	f.Add("a.png", pngFile(f, 2, 2))
	f.Add("a.svg", []byte(plainSVG))
	f.Add("a.docx", zipFile(f, "[Content_Types].xml", "word/document.xml"))
	f.Add("a.avif", avifFile("mif1", 2, 2, 1))
	f.Fuzz(func(t *testing.T, name string, head []byte) {
		if kind := sniff(head); !strings.Contains(kind, "/") || strings.ContainsAny(kind, "; ") {
			t.Errorf("type %q", kind)
		}
		if kind, err := (Policy{Allowed: DefaultAllowed()}).Check(name, head); (kind == "") == (err == nil) {
			t.Errorf("Check = %q, %v", kind, err)
		}
	})
}
