package cms

import (
	"bytes"
	"encoding/json"
)

// Marshal encodes v as the API writes JSON: HTML characters are not escaped and nothing follows the value.
func Marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
