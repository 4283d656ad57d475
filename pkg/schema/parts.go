package schema

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/forms"
	"headless/pkg/settings"
	"headless/pkg/site"
)

// together is how many locales or settings one step changes. A transaction has room for it.
const together = 40

// locales plans the changes of locales. If the schema makes exactly one locale the default, the
// former default ceases to be.
func (w *work) locales() error {
	w.target.Locales = slices.Clone(w.st.site.Locales)
	for _, body := range w.in.parts["locales"] {
		if code, ok := body["code"].(string); ok && w.target.Locale(code) == nil {
			w.target.Locales = append(w.target.Locales, site.NewLocale(code, w.target))
		}
		if code, ok := body["code"].(string); ok && body["is_default"] == true {
			w.target.Default = code
		}
	}
	for i := range w.target.Locales {
		w.target.Locales[i].IsDefault = false
	}
	var changed []cms.Locale
	err := w.forEachPart("locales", "code", func(at, code string, body map[string]any) error {
		v := w.target.Locale(code)
		p := cms.Problems{}
		if err := w.invalid(at, site.StageLocale(p, v, body, w.target)); err != nil {
			return err
		}
		if v.IsDefault && code != w.target.Default {
			w.problems.Add(at+".is_default", "is set for another locale too")
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := range w.target.Locales {
		v := &w.target.Locales[i]
		v.IsDefault = v.Code == w.target.Default
		if v.IsDefault && !v.IsActive {
			w.problems.Add("locales", "the default locale %s must be active", v.Code)
		}
		was := w.st.site.Locale(v.Code)
		if !w.listChange("locale", v.Code, partOf(was), part(*v), "New locale.") {
			continue
		}
		if v.IsDefault || was != nil && was.IsDefault { // these two change together
			changed = slices.Insert(changed, 0, *v)
		} else {
			changed = append(changed, *v)
		}
	}
	for list := range slices.Chunk(changed, together) {
		w.stage(func(tx *db.Tx) { site.PutLocales(tx, w.st.site, list...) })
	}
	return w.deleteLocales()
}

func (w *work) deleteLocales() error {
	for _, code := range w.in.deletes["locales"] {
		if w.st.site.Locale(code) == nil {
			continue
		}
		message := "The locale is deleted."
		used, err := w.Locales.InUse(w.ctx, code)
		switch {
		case err != nil:
			return err
		case used:
			message = w.addRefusal("Entries use the locale %s: it cannot be deleted.", code)
		case code == w.target.Default:
			message = w.addRefusal("The default locale cannot be deleted.")
		}
		w.addChange("delete", "locale", "locales."+code, Safe, message)
		w.closing = append(w.closing, code)
		w.stage(func(tx *db.Tx) { site.DeleteLocale(tx, w.st.site, code) })
		w.target.Locales = slices.DeleteFunc(w.target.Locales, func(v cms.Locale) bool { return v.Code == code })
	}
	return nil
}

// planSettings plans the changes of settings. A private setting without a value keeps its current
// value.
func (w *work) planSettings() error {
	body := make([]any, 0, len(w.in.parts["settings"]))
	for _, v := range w.in.parts["settings"] {
		if v["group"] != "site" || v["key"] != "default_locale" { // the locales define the default
			body = append(body, v)
		}
	}
	p := cms.Problems{}
	before, err := cms.EachSecret(site.AllSettings(w.st.site), w.Store.UnsealText)
	if err != nil {
		return err
	}
	list, err := cms.EachSecret(site.AllSettings(w.target), w.Store.UnsealText)
	if err != nil {
		return err
	}
	staged := settings.Stage(p, body, w.target, list)
	for path, messages := range p {
		w.problems["settings."+path] = messages
	}
	var changed []cms.Setting
	for _, v := range staged {
		name := v.Group + "." + v.Key
		if slices.Contains(w.in.deletes["settings"], name) {
			w.problems.Add("deletes.settings", "%q is mentioned in settings too", name)
		}
		was := Part(nil)
		if i := slices.IndexFunc(before, func(b cms.Setting) bool { return b.Group == v.Group && b.Key == v.Key }); i >= 0 {
			was = part(before[i])
		}
		if w.listChange("setting", name, was, part(v), "New setting.") {
			changed = append(changed, v)
		}
	}
	if changed, err = cms.EachSecret(changed, w.Store.SealText); err != nil {
		return err
	}
	for list := range slices.Chunk(changed, together) {
		w.stage(func(tx *db.Tx) {
			site.PutSettings(tx, w.st.site, list...)
			settings.Note(tx, w.actor, w.st.site, list...)
		})
	}
	for _, name := range w.in.deletes["settings"] {
		group, key, _ := strings.Cut(name, ".")
		stored := slices.ContainsFunc(w.st.site.Settings,
			func(v cms.Setting) bool { return v.Group == group && v.Key == key })
		if stored {
			w.addChange("delete", "setting", "settings."+name, LosesData, "The setting and its value are removed.")
			w.stage(func(tx *db.Tx) { site.DeleteSetting(tx, w.st.site, group, key) })
		}
	}
	return nil
}

// forms plans the changes of forms. A schema has no secret keys: a form keeps its current one.
func (w *work) forms() error {
	err := w.forEachPart("forms", "slug", func(at, slug string, body map[string]any) error {
		was := w.st.site.Forms[slug]
		form, from, note := cms.NewForm(), "", ""
		if was != nil {
			form, from = *was, slug
		} else {
			form.ID = uuid.NewString()
		}
		if r, ok := body["recaptcha"].(map[string]any); ok && r["secret_key"] == nil &&
			form.Recaptcha == nil {
			body = withKey(body, "recaptcha", nil)
			note = " Without reCAPTCHA: a schema contains no secret keys."
		}
		p := cms.Problems{}
		err := errors.Join(w.Store.Forms.StageForm(p, &form, body),
			w.Store.Forms.CheckSuccessURL(w.ctx, p, w.st.site, &form))
		if err != nil {
			return err
		}
		w.addProblems(at, p)
		if !w.listChange("form", slug, partOf(was), part(form), "New form."+note) {
			return nil
		}
		put := func(tx *db.Tx) {
			if was == nil {
				form.CreatedAt = tx.At()
			}
			form.UpdatedAt = tx.At()
			site.PutForm(tx, w.st.site, from, form)
		}
		if was != nil {
			w.stage(put)
			return nil
		}
		w.create(put, func(tx *db.Tx) { site.DeleteForm(tx, w.st.site, slug) })
		return nil
	})
	for _, slug := range w.in.deletes["forms"] {
		if w.st.site.Forms[slug] != nil {
			w.addChange("delete", "form", "forms."+slug, LosesData, "The form and its submissions are deleted.")
			w.stage(func(tx *db.Tx) { forms.DropForm(tx, w.st.site, slug) })
		}
	}
	return err
}

// withKey returns a copy of a body with another value for a key.
func withKey(body map[string]any, key string, v any) map[string]any {
	copied := maps.Clone(body)
	copied[key] = v
	return copied
}

// folders plans new folders of media files, and the deletion of empty ones.
func (w *work) folders() error {
	err := w.forEachPart("folders", "name", func(at, name string, body map[string]any) error {
		if slices.ContainsFunc(w.st.folders, func(f assets.Folder) bool { return f.Name == name }) {
			return nil
		}
		f := assets.Folder{Folder: cms.Folder{ID: uuid.Must(uuid.NewV7()).String()}}
		p := cms.Problems{}
		if err := assets.StageFolder(p, &f, body); err != nil {
			return err
		}
		w.addProblems(at, p)
		w.addChange("create", "folder", "folders."+name, Safe, "New folder.")
		w.stage(func(tx *db.Tx) { assets.PutFolder(tx, f, "") })
		return nil
	})
	if err != nil {
		return err
	}
	for _, name := range w.in.deletes["folders"] {
		i := slices.IndexFunc(w.st.folders, func(f assets.Folder) bool { return f.Name == name })
		if i < 0 {
			continue
		}
		f := w.st.folders[i]
		n, err := w.Store.Assets.FilesIn(w.ctx, f.ID)
		if err != nil {
			return err
		}
		message := "The folder is deleted."
		if n > 0 {
			message = w.addRefusal("The folder %q cannot be deleted. Files in it: %d.", name, n)
		}
		w.addChange("delete", "folder", "folders."+name, Safe, message)
		w.stage(func(tx *db.Tx) { assets.DeleteFolder(tx, f) })
	}
	return nil
}
