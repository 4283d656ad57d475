package cms

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"
)

// MaxDepth is the maximum nesting depth of a JSON body.
const MaxDepth = 40

// DecodeObject reads a JSON object strictly: valid UTF-8, no lone surrogates, nothing after the
// value, at most MaxDepth levels. Numbers are kept as json.Number. The errors are BAD_REQUEST.
func DecodeObject(body []byte) (map[string]any, error) {
	v, err := DecodeJSON(body)
	if err != nil {
		return nil, err
	}
	obj, ok := v.(map[string]any)
	if !ok {
		return nil, Errorf(CodeBadRequest, "The body must be a JSON object.")
	}
	return obj, nil
}

// DecodeJSON reads any JSON value as strictly as DecodeObject.
func DecodeJSON(body []byte) (any, error) {
	if !utf8.Valid(body) {
		return nil, Errorf(CodeBadRequest, "The body is not valid UTF-8.")
	}
	if err := scanJSON(body); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			return nil, Errorf(CodeBadRequest, "The body is not valid JSON, at byte %d.", syntax.Offset)
		}
		return nil, Errorf(CodeBadRequest, "The body is not valid JSON.")
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, Errorf(CodeBadRequest, "The body has data after its JSON value.")
	}
	return v, nil
}

// scanJSON rejects what encoding/json would decode too slowly or change silently: deep nesting and
// escaped lone surrogates.
func scanJSON(b []byte) error {
	depth, inString := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case inString && c == '\\':
			n, err := escape(b[i:])
			if err != nil {
				return err
			}
			i += n - 1
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > MaxDepth {
				return Errorf(CodeBadRequest, "The body nests deeper than %d levels.", MaxDepth)
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return nil
}

// escape returns the length of the escape sequence that b starts with.
func escape(b []byte) (int, error) {
	if len(b) < 6 || b[1] != 'u' {
		return 2, nil
	}
	u, ok := hex4(b[2:6])
	if !ok || u < 0xD800 || u > 0xDFFF {
		return 6, nil
	}
	if u < 0xDC00 && len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
		if low, ok := hex4(b[8:12]); ok && low >= 0xDC00 && low <= 0xDFFF {
			return 12, nil
		}
	}
	return 0, Errorf(CodeBadRequest, "The body has half of a surrogate pair, which is not a valid character.")
}

func hex4(b []byte) (v int, ok bool) {
	for _, c := range b {
		switch {
		case c >= '0' && c <= '9':
			v = v<<4 | int(c-'0')
		case c >= 'a' && c <= 'f':
			v = v<<4 | int(c-'a'+10)
		case c >= 'A' && c <= 'F':
			v = v<<4 | int(c-'A'+10)
		default:
			return 0, false
		}
	}
	return v, true
}
