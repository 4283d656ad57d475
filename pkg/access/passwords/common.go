package passwords

import (
	"bytes"
	"compress/gzip"
	_ "embed" // for the list
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// commonList has the 10,000 most common passwords, one a line, in lower case. It is the beginning of
// Django's list; common.LICENSE is its licence.
//
//go:embed common.txt.gz
var commonList []byte

// common reads the list once, when the first password is set.
var common = sync.OnceValue(func() map[string]bool {
	r, err := gzip.NewReader(bytes.NewReader(commonList))
	if err != nil {
		panic(err) // the list is part of the program
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	list := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		list[strings.TrimSuffix(line, "\n")] = true
	}
	return list
})

// isCommon reports whether a password is a common one, or begins with one that it repeats to its
// end, such as passwordpassword and 123456789012. A single character counts as common.
func isCommon(password string) bool {
	password = strings.ToLower(password)
	for n := 1; n <= len(password); n++ { // bytes that repeat
		if strings.HasPrefix(password, password[n:]) && (n == 1 || common()[password[:n]]) {
			return true
		}
	}
	return false
}

// minLocal is the length from which the local part of an address may not be part of a password.
const minLocal = 5

// Refusal returns why a new password of a user is refused, "" if it is not: it is too short or too
// long, too common, or contains the e-mail address or its local part.
func Refusal(password, email string) string {
	lower, email := strings.ToLower(password), strings.ToLower(email)
	local, _, isAddress := strings.Cut(email, "@")
	switch n := utf8.RuneCountInString(password); {
	case n < Min || n > Max:
		return fmt.Sprintf("must have %d to %d characters", Min, Max)
	case isCommon(password):
		return "is one of the most common passwords"
	case isAddress && (strings.Contains(lower, email) ||
		utf8.RuneCountInString(local) >= minLocal && strings.Contains(lower, local)):
		return "must not contain the e-mail address"
	}
	return ""
}
