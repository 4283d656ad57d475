package cms

import (
	"encoding/json"

	"headless/pkg/slice"
)

// WithDefaults returns data in which missing and null values have the model's defaults, at the top level
// and inside existing groups, list items and blocks. It is for creates only.
func (m *Model) WithDefaults(data map[string]any) map[string]any {
	return Rewrite(m.Fields, data, func(o *Edited, fields []Field) {
		for i := range fields {
			if f := &fields[i]; o.Object[f.Name] == nil && f.Default != nil {
				o.Copy()[f.Name] = CloneJSON(f.Default)
			}
		}
	})
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
