package cms

import (
	"bytes"
	"encoding/json"
	"math"
)

// Marshal encodes v as the API writes JSON: HTML characters are not escaped and nothing follows the
// value.
func Marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), err
}

// Unmarshal decodes like json.Unmarshal, but stores numbers as json.Number where the target is any.
func Unmarshal(raw []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return dec.Decode(v)
}

// WholeNumber returns a decoded JSON number that has no fraction. 1.0 and 1e3 have none, as in JSON Schema.
// ok is false for other values, and beyond 2^53, where a float skips whole numbers.
func WholeNumber(v any) (n int64, ok bool) {
	number, _ := v.(json.Number)
	f, err := number.Float64()
	return int64(f), err == nil && f == math.Trunc(f) && math.Abs(f) <= 1<<53
}
