package markdown

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"headless/pkg/cms"
)

// WriteBlock returns a block of a type as it stands in a text.
func WriteBlock(kind *cms.Field, values map[string]any) (string, error) {
	values = (&cms.Model{Fields: kind.Fields}).WithoutNulls(values)
	var content strings.Builder
	for _, f := range kind.Fields {
		if v := values[f.Name]; v != nil {
			line, err := writeValue(f, v)
			if err != nil {
				return "", err
			}
			content.WriteString(line)
		}
	}
	fence := "```"
	for strings.Contains(content.String(), fence) {
		fence += "`"
	}
	return fence + infoPrefix + kind.Name + "\n" + content.String() + fence + "\n", nil
}

// writeValue returns a value as YAML: as plain as it is read back, in the end as JSON.
func writeValue(f cms.Field, v any) (string, error) {
	raw, err := cms.Marshal(v)
	if err != nil {
		return "", err
	}
	forms := []string{escaped(string(raw))}
	if text, ok := v.(string); ok {
		forms = []string{text, indented(text), forms[0]}
	}
	for _, form := range forms {
		line := f.Name + ": " + form + "\n"
		read, problem := readValues([]cms.Field{f}, []byte(line))
		if problem == "" && reflect.DeepEqual(read, map[string]any{f.Name: v}) {
			return line, nil
		}
	}
	return "", fmt.Errorf("the value of %s cannot be written as YAML", f.Name)
}

// indented returns a text as a block of YAML.
func indented(text string) string {
	block := "|-"
	for line := range strings.SplitSeq(text, "\n") {
		if block += "\n"; line != "" {
			block += "  " + line
		}
	}
	return block
}

// escaped returns JSON with escapes for the characters that YAML refuses, which are in texts.
func escaped(json string) string {
	var b strings.Builder
	for _, r := range json {
		switch {
		case r < 0x7f || unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
