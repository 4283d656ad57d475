package admin

import (
	"fmt"
	"strconv"
	"strings"

	"headless/pkg/cms"
)

// readable is a value of a field as people read it: groups and rows as lines with the labels of
// their fields, in the order of the model.
func readable(f cms.Field, v any) (string, error) {
	if !f.HasFields() || v == nil {
		return fieldText(f, v)
	}
	var b strings.Builder
	if err := readLines(&b, f, v, ""); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// readLines writes the value of a field that has fields, each line behind an indent.
func readLines(b *strings.Builder, f cms.Field, v any, indent string) error {
	rows, isList := v.([]any)
	if !isList {
		return readGroup(b, f.Fields, v, indent)
	}
	for i, item := range rows {
		fields, head := f.Fields, strconv.Itoa(i+1)+"."
		if object, ok := item.(map[string]any); ok && f.Type == cms.TypeBlocks {
			block := blockOf(f, fmt.Sprint(object["type"]))
			fields, head = block.Fields, head+" "+labelOf(block)
		}
		b.WriteString(indent + head + "\n")
		if err := readGroup(b, fields, item, indent+"  "); err != nil {
			return err
		}
	}
	return nil
}

func readGroup(b *strings.Builder, fields []cms.Field, v any, indent string) error {
	object, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	for _, f := range fields {
		value := object[f.Name]
		if value == nil {
			continue
		}
		if f.HasFields() {
			b.WriteString(indent + labelOf(f) + ":\n")
			if err := readLines(b, f, value, indent+"  "); err != nil {
				return err
			}
			continue
		}
		text, err := fieldText(f, value)
		if err != nil {
			return err
		}
		b.WriteString(indent + labelOf(f) + ": " + strings.ReplaceAll(text, "\n", "\n"+indent+"  ") + "\n")
	}
	return nil
}
