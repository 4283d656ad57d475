package frame

import (
	"maps"
	"slices"
	"strings"
	"time"

	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/slice"
)

// maxSaved is the number of characters of a saved value that an overtaken form shows.
const maxSaved = 300

// markSaved names the saved value beside each field of a form that somebody else has overtaken, and above the form the
// saved values of rows that it does not have.
func markSaved(form, saved *ui.Form) {
	type input struct {
		ui.Field
		label say.Text // with those of the rows that it is in
	}
	now, shown := map[string]input{}, map[string]bool{}
	eachField(saved.Fields, func(name string, label say.Text, f *ui.Field) { now[name] = input{*f, label} })
	left := ui.MaxProblems
	eachField(form.Fields, func(name string, _ say.Text, f *ui.Field) {
		shown[name] = true
		if saved, ok := now[name]; ok && left > 0 && wordsOf(saved.Field) != wordsOf(*f) {
			left--
			f.Errors = append(f.Errors, savedNow(saved.Field))
		}
	})
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if in := now[name]; left > 0 && !shown[name] && wordsOf(in.Field) != "" {
			left--
			form.Problems = append(form.Problems, say.F("{1}: {2}", in.label, savedNow(in.Field)))
		}
	}
}

// savedNow names the saved value of a field.
func savedNow(f ui.Field) say.Text {
	if runes := []rune(f.Value); len(runes) > maxSaved {
		f.Value = string(runes[:maxSaved]) + "…"
	}
	if text := wordsOf(f); text != "" {
		return say.F("Saved now: {1}", text)
	}
	return "Saved now: nothing"
}

// eachField calls use for all inputs in fields. In the name of an input, a row that has an id is named by its id, since
// others may have moved it. label begins with the labels of the rows around the input.
func eachField(fields []ui.Field, use func(name string, label say.Text, f *ui.Field)) {
	ids := map[string]string{} // by the name of the row
	walkFields(fields, "", func(_ say.Text, f *ui.Field) {
		if row, ok := strings.CutSuffix(f.Name, "."+ui.RowKey); ok {
			ids[row] = f.Value
		}
	})
	walkFields(fields, "", func(label say.Text, f *ui.Field) {
		name, at := "", ""
		for part := range strings.SplitSeq(f.Name, ".") {
			if at = strings.TrimPrefix(at+"."+part, "."); ids[at] != "" {
				part = ids[at]
			}
			name += "." + part
		}
		if f.Name != "" {
			use(name, label, f)
		}
	})
}

func walkFields(fields []ui.Field, above say.Text, use func(label say.Text, f *ui.Field)) {
	for i := range fields {
		f := &fields[i]
		label := say.Join([]say.Text{above, f.Label}, "")
		use(label, f)
		if f.Kind == "group" && f.Label != "" {
			label = say.F("{1} › ", label)
		} else {
			label = above
		}
		walkFields(f.Fields, label, use)
	}
}

// wordsOf returns the value of an input in words, "" for an empty one and for an input that shows no value.
func wordsOf(f ui.Field) say.Text {
	var chosen []say.Text
	for _, o := range f.Options {
		if o.Value != "" && f.Has(o.Value) {
			chosen = append(chosen, o.Label)
		}
	}
	switch f.Kind {
	case "select", "checks":
		return say.Join(chosen, ", ")
	case "pick":
		if f.Pick == nil {
			return ""
		}
		return say.Join(slice.Map(f.Pick.Chosen, func(c ui.Choice) say.Text { return c.Label }), ", ")
	case "checkbox":
		return say.YesNo(f.Value == "true")
	case "datetime":
		if at, err := time.Parse(time.RFC3339, strings.TrimSuffix(f.Value, "Z")+"Z"); err == nil {
			return say.Moment(at)
		}
		return say.Data(f.Value)
	case "text", "email", "url", "number", "date", "textarea", "lines", "json", "markdown":
		return say.Data(strings.TrimSpace(strings.ReplaceAll(f.Value, "\r\n", "\n")))
	}
	return ""
}
