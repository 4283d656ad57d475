package schema

import (
	"fmt"
	"slices"
	"strings"

	"headless/pkg/cms"
)

// compareFields lists the changes between two levels of fields. former is the current path of the
// level, with a dot at its end. renamed maps current paths to new names.
func (w *work) compareFields(path, former string, was, now []cms.Field, renamed map[string]string) {
	kept := map[string]bool{}
	before := map[string]*cms.Field{} // by their new names
	for i := range was {
		name, ok := renamed[former+was[i].Name]
		if !ok {
			name = was[i].Name
		}
		before[name] = &was[i]
	}
	for i := range now {
		f := &now[i]
		at := path + "." + f.Name
		old := before[f.Name]
		if old == nil {
			w.addChange("create", "field", at, Safe, fmt.Sprintf("New field of type %s%s.", f.Type, requiredNote(f)))
			continue
		}
		kept[old.Name] = true
		w.listField(at, old, f)
		w.compareFields(at+".fields", former+old.Name+".", old.Fields, f.Fields, renamed)
	}
	for i := range was {
		if name := was[i].Name; !kept[name] {
			w.addChange("delete", "field", path+"."+name, LosesData, "The field is removed, and its values with it.")
		}
	}
}

func requiredNote(f *cms.Field) string {
	if f.Required {
		return ", required at the next save of each entry"
	}
	return ""
}

// listField adds the line for a changed field.
func (w *work) listField(path string, was, now *cms.Field) {
	risk, message := compareField(was, now)
	switch {
	case was.Name != now.Name:
		if risk != LosesData {
			risk = Reindex
		}
		renamed := fmt.Sprintf("The field %q becomes %q and keeps its values; entries are rewritten in the background.",
			was.Name, now.Name)
		w.addChange("rename", "field", path, risk, strings.TrimSpace(renamed+" "+message))
	case message != "":
		w.addChange("update", "field", path, risk, message)
	}
}

// compareField describes the changes of a field, without its name and nested fields, and the risk
// for its values. The message is empty if nothing changes.
func compareField(was, now *cms.Field) (Risk, string) {
	keys := differences(part(was), part(now), "fields", "name")
	if len(keys) == 0 {
		return Safe, ""
	}
	risk, message := Safe, namedChanges(keys)
	for _, key := range keys {
		if key == "type" || key == "unique" || key == "searchable" || key == "many" {
			risk = Reindex
		}
	}
	if !keepsValues(was, now) {
		risk, message = LosesData, message+" Stored values do not fit the new definition."
	}
	return risk, message
}

// keepsValues reports whether stored values have the type of the new definition.
func keepsValues(was, now *cms.Field) bool {
	if was.Type == now.Type {
		return was.Many == now.Many && !slices.ContainsFunc(was.Targets(),
			func(slug string) bool { return !slices.Contains(now.Targets(), slug) })
	}
	switch now.Type {
	case cms.TypeJSON:
		return true
	case cms.TypeText, cms.TypeTextarea, cms.TypeRichText:
		return was.IsText() || was.Type == cms.TypeSelect || was.Type == cms.TypeDate || was.Type == cms.TypeDateTime
	}
	return false
}
