package upload

import (
	"mime"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxNameChars is the maximum length of a name from CleanName, in characters.
const MaxNameChars = 255

// CleanName returns a safe file name. It keeps text in any script, and removes directories (with
// either slash), control characters, line separators, directional overrides and invalid UTF-8. It
// cuts a long name before the extension. If nothing is left, the name is "file".
func CleanName(name string) string {
	name = strings.ToValidUTF8(name, "")
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.TrimSpace(strings.Map(keepRune, name))
	if strings.Trim(name, ". ") == "" {
		return "file"
	}
	return shorten(name, MaxNameChars, func(rune) int { return 1 })
}

func keepRune(r rune) rune {
	switch {
	case unicode.IsControl(r), unicode.In(r, unicode.Zl, unicode.Zp),
		r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, // directional embeddings, overrides and isolates
		r == 0xFEFF, r >= 0xFFF9 && r <= 0xFFFB: // invisible: byte order mark, annotations
		return -1
	}
	return r
}

// shorten cuts a name before its extension until the costs of its characters are at most limit together.
// Characters of extensions cost 1.
func shorten(name string, limit int, cost func(rune) int) string {
	end := Extension(name)
	if end != "" {
		end = name[len(name)-len(end)-1:]
	}
	left := limit - len(end)
	stem := strings.TrimSuffix(name, end)
	for i, r := range stem {
		if left -= cost(r); left < 0 {
			return strings.TrimRight(stem[:i], " ") + end
		}
	}
	return name
}

// Disposition returns the Content-Disposition header that shows a file in the browser and saves it
// under its name (RFC 6266 and 5987). It is ASCII and shorter than 700 bytes: names over 200 bytes
// are cut before the extension.
func Disposition(name string) string {
	return disposition("inline", name)
}

// Attachment is like Disposition, but saves the file without showing it.
func Attachment(name string) string { return disposition("attachment", name) }

func disposition(kind, name string) string {
	name = shorten(name, 200, utf8.RuneLen)
	return mime.FormatMediaType(kind, map[string]string{"filename": name})
}

// Extension returns the lower-case extension of a name without the dot, "" if there is none.
func Extension(name string) string {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return ""
	}
	end := strings.ToLower(name[dot+1:])
	if end == "" || len(end) > 10 || strings.Trim(end, "0123456789") == "" {
		return ""
	}
	for _, c := range []byte(end) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return ""
		}
	}
	return end
}
