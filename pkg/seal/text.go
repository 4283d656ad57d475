package seal

import (
	"encoding/base64"
	"strings"
)

// textPrefix starts a sealed text. A text without it was stored before secrets were sealed.
const textPrefix = "sealed:"

// Text seals a secret that is stored as text.
func Text(s Sealer, plain string) (string, error) {
	sealed, err := s.Seal([]byte(plain))
	if err != nil {
		return "", err
	}
	return textPrefix + base64.RawStdEncoding.EncodeToString(sealed), nil
}

// IsText reports whether a stored text is sealed.
func IsText(stored string) bool { return strings.HasPrefix(stored, textPrefix) }

// OpenText returns the secret in a stored text. A text that is not sealed is the secret itself.
func OpenText(s Sealer, stored string) (string, error) {
	if !IsText(stored) {
		return stored, nil
	}
	sealed, err := base64.RawStdEncoding.DecodeString(stored[len(textPrefix):])
	if err != nil {
		return "", errSealed
	}
	plain, err := s.Open(sealed)
	return string(plain), err
}

// ResealText seals a stored text with the newest key. A text that is sealed with it is returned
// unchanged.
func ResealText(s Sealer, stored string) (string, error) {
	if IsText(stored) {
		sealed, err := base64.RawStdEncoding.DecodeString(stored[len(textPrefix):])
		if err != nil {
			return "", errSealed
		}
		if current, err := s.Current(sealed); current || err != nil {
			return stored, err
		}
	}
	plain, err := OpenText(s, stored)
	if err != nil {
		return "", err
	}
	return Text(s, plain)
}

// Reseal seals a stored secret with the newest key. A secret that is sealed with it is returned
// unchanged.
func Reseal(s Sealer, stored []byte) ([]byte, error) {
	if current, err := s.Current(stored); current || err != nil {
		return stored, err
	}
	plain, err := s.Open(stored)
	if err != nil {
		return nil, err
	}
	return s.Seal(plain)
}
