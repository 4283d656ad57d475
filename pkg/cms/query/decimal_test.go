package query

import (
	"strings"
	"testing"

	"headless/pkg/cms"
)

func TestDecimalOrder(t *testing.T) {
	// Each line holds equal numbers; the lines ascend.
	order := [][]string{
		{"-1e999999999999999999999"},
		{"-1e400", "-10E399"},
		{"-100.5"},
		{"-100", "-1e2", "-0.1e3"},
		{"-1e-400"},
		{"0", "-0", "0.000", "0e999999999", "-0.0e-5"},
		{"1e-999999999"},
		{"0.1", "1e-1", "0.10"},
		{"0.10000000000000000000000000000000000001"},
		{"9007199254740992"},
		{"9007199254740993", "9007199254740993.0", "9.007199254740993e15"},
		{"1" + strings.Repeat("0", 500), "1e500", "1E+0500"},
		{"1e999999999"},
	}
	var previous *Decimal
	for _, line := range order {
		for i, s := range line {
			d, ok := ParseDecimal(s)
			if !ok {
				t.Fatalf("%q is refused", s)
			}
			if i > 0 && d.Compare(*previous) != 0 {
				t.Errorf("%q differs from the number before it", s)
			}
			if i == 0 && previous != nil && (d.Compare(*previous) <= 0 || previous.Compare(d) >= 0) {
				t.Errorf("%q is not greater than the number before it", s)
			}
			previous = &d
		}
	}
}

func TestParseDecimalRefuses(t *testing.T) {
	for _, s := range []string{"", "-", "+1", ".5", "1.", "01", "1e", "1e+", "1e+-5", "0x10", "NaN",
		"Infinity", "1 ", " 1", "1,5", "1e5.0", "--1"} {
		if d, ok := ParseDecimal(s); ok {
			t.Errorf("%q is read as %v", s, d)
		}
	}
}

func FuzzParseDecimal(f *testing.F) {
	for _, s := range []string{"0", "-1.50e+10", "1e", "00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, ok := ParseDecimal(s)
		if ok && d.Compare(d) != 0 {
			t.Errorf("%q differs from itself", s)
		}
		if _, err := cms.DecodeJSON([]byte(s)); ok && err != nil {
			t.Errorf("%q is no JSON number: %v", s, err)
		}
	})
}
