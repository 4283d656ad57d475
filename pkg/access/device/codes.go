package device

import (
	"crypto/rand"
	"strings"
	"unicode"
)

// letters are the letters of user codes. There are no vowels, so that codes spell no words, and no
// letters that look or sound like others. A byte modulo 16 chooses each of them equally often.
const letters = "BCDFGHJKMPQRTVWX"

// codeLength is the number of letters of a user code.
const codeLength = 8

// newUserCode returns a random user code, as "BCDF-GHJK".
func newUserCode() string {
	var random [codeLength]byte
	rand.Read(random[:])
	for i, b := range random {
		random[i] = letters[int(b)%len(letters)]
	}
	return hyphenate(string(random[:]))
}

func hyphenate(code string) string { return code[:codeLength/2] + "-" + code[codeLength/2:] }

// userCode returns a user code as newUserCode writes it. What was typed may have small letters,
// spaces and other hyphens. ok is false if it cannot be a user code.
func userCode(typed string) (code string, ok bool) {
	code = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Dash, r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, typed)
	if len(code) != codeLength || strings.Trim(code, letters) != "" {
		return "", false
	}
	return hyphenate(code), true
}

// maxName is the length of a program's name, in characters.
const maxName = 100
