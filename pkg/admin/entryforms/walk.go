package entryforms

import (
	"strings"

	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/markdown"
)

// Walk visits the inputs of some fields, at any depth, those inside of a field before it. name stands before the names
// of the inputs, and path before the paths of fields: these have the type of each block that a field is in.
func Walk(shown []ui.Field, fields []cms.Field, name, path string,
	visit func(field *ui.Field, f *cms.Field, path string) error) error {
	for i := range shown {
		field := &shown[i]
		f := cms.FieldNamed(fields, strings.TrimPrefix(field.Name, name+"."))
		if f == nil {
			continue
		}
		at := strings.TrimPrefix(path+"."+f.Name, ".")
		for j := range field.Fields {
			row, inner, below := &field.Fields[j], f.Fields, at
			if f.Type == cms.TypeGroup {
				break
			}
			if f.Type == cms.TypeBlocks {
				kind := KindOf(row)
				inner, below = BlockOf(*f, kind).Fields, at+"."+kind
			}
			if err := Walk(row.Fields, inner, row.Name, below, visit); err != nil {
				return err
			}
		}
		if f.Type == cms.TypeGroup {
			if err := Walk(field.Fields, f.Fields, field.Name, at, visit); err != nil {
				return err
			}
		}
		if err := visit(field, f, at); err != nil {
			return err
		}
	}
	return nil
}

// KindOf returns the type of the block of a row.
func KindOf(row *ui.Field) string {
	for _, f := range row.Fields {
		if f.Name == row.Name+".type" {
			return f.Value
		}
	}
	return ""
}

// FieldAt returns the field at a path as Walk has it, nil if there is none.
func FieldAt(fields []cms.Field, path string) *cms.Field {
	first, rest, deeper := strings.Cut(path, ".")
	f := cms.FieldNamed(fields, first)
	if f == nil || !deeper {
		return f
	}
	return FieldAt(f.Fields, rest)
}

// OfferBlocks tells the inputs of texts that may have blocks where the form for these is, and their types. An option
// is the name of a type with those of its files, which stand for it.
func OfferBlocks(model string, shown []ui.Field, fields []cms.Field, name, path string) error {
	return Walk(shown, fields, name, path, func(field *ui.Field, f *cms.Field, path string) error {
		if !markdown.HasBlocks(f) {
			return nil
		}
		field.Blocks = ui.Base + ui.ModelPath(model) + "/text-blocks?field=" + path
		for _, kind := range f.Fields {
			names := kind.Name
			for _, inner := range kind.Fields {
				if inner.Type == cms.TypeMedia {
					names += " " + inner.Name
				}
			}
			field.Options = append(field.Options, ui.Option{Value: names, Label: entrydata.LabelOf(kind)})
		}
		return nil
	})
}
