package sitepages

import (
	"slices"
	"strconv"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/cms"
	"headless/pkg/input"
)

// readChanges returns the changes that a form asks for: list has the changed settings, names the names
// of their inputs, and gone the settings to remove.
func (h settingHandlers) readChanges(c *frame.Call) (list []any, names []string, gone []cms.Setting, err error) {
	all, err := h.settings.List(c.R.Context())
	if err != nil {
		return nil, nil, nil, err
	}
	for _, v := range withViews(all) {
		name := v.Group + "." + v.Key
		if isChecked(c, name+removeKey, false) {
			gone = append(gone, v)
			continue
		}
		now := v
		if now.Value, err = h.postedValue(c, v); err != nil {
			return nil, nil, nil, err
		}
		now.IsPublic, now.IsTranslatable = isChecked(c, name+publicKey, v.IsPublic),
			isChecked(c, name+translatableKey, v.IsTranslatable)
		publishes := now.IsPublic && !v.IsPublic
		texts, changed := map[string]any{}, now.Value != v.Value || now.IsPublic != v.IsPublic ||
			now.IsTranslatable != v.IsTranslatable
		for code, text := range v.Translations {
			if !publishes { // then only what was typed counts
				texts[code] = text
			}
		}
		for field := range c.Form {
			if code, ok := strings.CutPrefix(field, name+"."); ok &&
				!slices.Contains([]string{publicKey, translatableKey, removeKey}, "."+code) {
				changed = changed || typedValue(c, field) != v.Translations[code]
				texts[code] = typedValue(c, field)
			}
		}
		if changed {
			body := map[string]any{
				"group": v.Group, "key": v.Key, "value": now.Value, "translations": texts,
				"is_public": now.IsPublic, "is_translatable": now.IsTranslatable,
			}
			if publishes && (!c.Form.Has(name) || v.IsSecret() && typedValue(c, name) == "") {
				delete(body, "value")
			}
			list, names = append(list, body), append(names, name)
		}
	}
	if typedValue(c, newSetting+"key") != "" {
		list, names = append(list, map[string]any{
			"group": typedValue(c, newSetting+"group"), "key": typedValue(c, newSetting+"key"),
			"value":     typedValue(c, newSetting+"value"),
			"is_public": isChecked(c, newSetting+"is_public", false),
		}), append(names, "")
	}
	return list, names, gone, nil
}

// postedValue returns the value that a form gives a setting.
func (h settingHandlers) postedValue(c *frame.Call, v cms.Setting) (string, error) {
	name := v.Group + "." + v.Key
	text := typedValue(c, name)
	switch {
	case !c.Form.Has(name) || v.IsSecret() && text == "":
		return v.Value, nil
	case isPicture(v) && cms.IsUUID(text):
		found, err := h.Files.Inline(c.R.Context(), []string{text})
		if m, ok := found[text].(*cms.MediaInline); ok || err != nil {
			return m.URL, err
		}
		p := cms.Problems{}
		p.Add(name, "is not a file of the library")
		return "", p.Err()
	}
	return text, nil
}

// typedValue returns the value of a text field of a form.
func typedValue(c *frame.Call, name string) string {
	return strings.ReplaceAll(input.FormValue(c.Form[name]).Last(), "\r\n", "\n") // of browsers
}

// isChecked returns the state of a checkbox of a form, or was if the form does not have it.
func isChecked(c *frame.Call, name string, was bool) bool {
	if !c.Form.Has(name) {
		return was
	}
	return input.FormValue(c.Form[name]).Last() == "true"
}

// besideFields changes the paths in messages about elements of a list into the names of the inputs
// that the elements came from.
func besideFields(details cms.Problems, names []string) cms.Problems {
	out := cms.Problems{}
	for path, messages := range details {
		index, rest, _ := strings.Cut(path, ".")
		if i, err := strconv.Atoi(index); err == nil && i < len(names) {
			if path = newSetting + rest; names[i] != "" {
				path = strings.TrimSuffix(names[i]+"."+strings.TrimPrefix(strings.TrimPrefix(rest,
					"translations."), "value"), ".")
			}
		}
		out[path] = append(out[path], messages...)
	}
	return out
}
