package schema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// dropKeys encodes a JSON object without some of its keys, such as "a" or "b.c". The others keep their
// order.
func dropKeys(raw []byte, drop []string) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil { // {
		return nil, err
	}
	out := []byte{'{'}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		of, _ := key.(string)
		if slices.Contains(drop, of) {
			continue
		}
		for _, path := range drop {
			if nested, ok := strings.CutPrefix(path, of+"."); ok && value[0] == '{' {
				if value, err = dropKeys(value, []string{nested}); err != nil {
					return nil, err
				}
			}
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		name, err := json.Marshal(key)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, name...), ':'), value...)
	}
	return append(out, '}'), nil
}
