package cms

import (
	"encoding/json"
	"testing"
)

func TestWholeNumber(t *testing.T) {
	for text, want := range map[string]int64{
		"7": 7, "1000.0": 1000, "1e3": 1000, "-2": -2, "-0.0": 0, "9007199254740992": 1 << 53,
	} {
		if n, ok := WholeNumber(json.Number(text)); !ok || n != want {
			t.Errorf("WholeNumber(%s) = %d, %v, want %d", text, n, ok, want)
		}
	}
	for _, v := range []any{nil, "7", true, 7.0, json.Number("1.5"), json.Number("1e400"), json.Number("-1e16")} {
		if n, ok := WholeNumber(v); ok {
			t.Errorf("WholeNumber(%v) = %d, want no whole number", v, n)
		}
	}
}
