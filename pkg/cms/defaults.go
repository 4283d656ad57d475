package cms

import (
	"encoding/json"
	"maps"

	"headless/pkg/slice"
)

// WithDefaults returns a copy of data in which missing and null values have the model's defaults,
// at the top level and inside existing groups, list items and blocks. It is for creates only.
func (m *Model) WithDefaults(data map[string]any) map[string]any {
	return withDefaults(m.Fields, data)
}

func withDefaults(fields []Field, object map[string]any) map[string]any {
	out := make(map[string]any, len(object))
	maps.Copy(out, object)
	for i := range fields {
		f := &fields[i]
		v := out[f.Name]
		if v == nil && f.Default != nil {
			v = CloneJSON(f.Default)
		}
		if v != nil {
			out[f.Name] = f.withDefaults(v)
		}
	}
	return out
}

// withDefaults fills the objects inside a value. It skips values of the wrong type, which
// validation reports.
func (f *Field) withDefaults(v any) any {
	if object, ok := v.(map[string]any); ok && f.Type == TypeGroup {
		return withDefaults(f.Fields, object)
	}
	items, ok := v.([]any)
	if !ok || f.Type != TypeList && f.Type != TypeBlocks {
		return v
	}
	out := make([]any, len(items))
	for i, item := range items {
		out[i] = item
		if object, ok := item.(map[string]any); ok {
			out[i] = withDefaults(f.FieldsOf(object), object)
		}
	}
	return out
}

// CloneJSON copies decoded JSON, with every number as a json.Number.
func CloneJSON(v any) any {
	switch v := v.(type) {
	case float64:
		b, err := json.Marshal(v)
		if err != nil { // NaN and infinities, which no JSON holds
			return v
		}
		return json.Number(b)
	case []any:
		return slice.Map(v, CloneJSON)
	case map[string]any:
		out := make(map[string]any, len(v))
		for k := range v {
			out[k] = CloneJSON(v[k])
		}
		return out
	}
	return v
}
