package query

import (
	"cmp"
	"strconv"
	"strings"
)

// Decimal is an exact JSON number: 0.Digits × 10^Exp, negative if Neg is set. Digits neither starts
// nor ends with a zero; it is empty for zero, which is never negative. Comparing takes linear time,
// for numbers of any size.
type Decimal struct {
	Neg    bool
	Exp    int64
	Digits string
}

// maxExp replaces every larger exponent.
const maxExp = 1 << 60

// ParseDecimal reads a JSON number. The boolean is false if s is not one.
func ParseDecimal(s string) (Decimal, bool) {
	var d Decimal
	s, d.Neg = strings.CutPrefix(s, "-")
	whole, rest := cutDigits(s)
	if whole == "" || len(whole) > 1 && whole[0] == '0' {
		return Decimal{}, false
	}
	var fraction string
	if strings.HasPrefix(rest, ".") {
		if fraction, rest = cutDigits(rest[1:]); fraction == "" {
			return Decimal{}, false
		}
	}
	exp, ok := parseExp(rest)
	if !ok {
		return Decimal{}, false
	}
	d.Exp = exp + int64(len(whole))
	digits := whole + fraction
	d.Digits = strings.TrimLeft(digits, "0")
	d.Exp -= int64(len(digits) - len(d.Digits))
	d.Digits = strings.TrimRight(d.Digits, "0")
	if d.Digits == "" {
		return Decimal{}, true
	}
	return d, true
}

func cutDigits(s string) (digits, rest string) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}

// parseExp reads what follows the digits: nothing, or e and a whole number.
func parseExp(s string) (int64, bool) {
	if s == "" {
		return 0, true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return 0, false
	}
	s = s[1:]
	negative := strings.HasPrefix(s, "-")
	if negative || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	digits, rest := cutDigits(s)
	if digits == "" || rest != "" {
		return 0, false
	}
	exp, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || exp > maxExp {
		exp = maxExp
	}
	if negative {
		exp = -exp
	}
	return exp, true
}

// DecimalOf returns the shortest decimal that parses as f.
func DecimalOf(f float64) Decimal {
	d, _ := ParseDecimal(strconv.FormatFloat(f, 'e', -1, 64))
	return d
}

// Float returns the number nearest to d.
func (d Decimal) Float() float64 {
	if d.Digits == "" {
		return 0
	}
	f, _ := strconv.ParseFloat("0."+d.Digits+"e"+strconv.FormatInt(d.Exp, 10), 64)
	if d.Neg {
		return -f
	}
	return f
}

func (d Decimal) sign() int {
	switch {
	case d.Digits == "":
		return 0
	case d.Neg:
		return -1
	}
	return 1
}

// Compare returns a negative number if d < o, zero if they are equal and a positive number if d >
// o.
func (d Decimal) Compare(o Decimal) int {
	if c := cmp.Compare(d.sign(), o.sign()); c != 0 {
		return c
	}
	c := cmp.Or(cmp.Compare(d.Exp, o.Exp), strings.Compare(d.Digits, o.Digits))
	if d.Neg {
		return -c
	}
	return c
}
