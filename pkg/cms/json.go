package cms

import (
	"bytes"
	"encoding/json"
)

// Marshal encodes v as the API writes JSON: HTML characters are not escaped and nothing follows the
// value.
func Marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// Unmarshal decodes like json.Unmarshal, but stores numbers as json.Number where the target is any.
func Unmarshal(raw []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return dec.Decode(v)
}
