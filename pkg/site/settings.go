package site

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

const (
	maxSetting       = 10_000 // characters of a value
	maxSettingsAtOne = 75     // settings of one update: they commit together
)

// Settings are the values of the site's configuration, translated or not.
type Settings struct{ Store *Store }

// knownSettings are always there, unset "" (specification §2.4). Texts are translatable until
// somebody says otherwise.
func knownSettings() []cms.Setting {
	var list []cms.Setting
	add := func(group string, translatable bool, keys ...string) {
		for _, key := range keys {
			list = append(list, cms.Setting{Group: group, Key: key, IsPublic: true, IsTranslatable: translatable, Translations: map[string]string{}})
		}
	}
	add("site", true, "name", "tagline")
	add("site", false, "logo", "favicon", "default_locale")
	add("seo", true, "default_title", "default_description")
	add("seo", false, "og_image")
	add("social", false, "twitter", "linkedin", "github", "youtube")
	return list
}

// all are the known settings in their order with their stored values, then the others.
func allSettings(site *Site) []cms.Setting {
	list := knownSettings()
	for _, v := range site.Settings {
		if i := settingIndex(list, v.Group, v.Key); i >= 0 {
			list[i] = v
		} else {
			list = append(list, v)
		}
	}
	v := &list[settingIndex(list, "site", "default_locale")]
	v.Value, v.IsTranslatable, v.Translations = site.Default, false, map[string]string{} // the locales say which it is
	return list
}

func isDefaultLocale(v cms.Setting) bool { return v.Group == "site" && v.Key == "default_locale" }

func settingIndex(list []cms.Setting, group, key string) int {
	return slices.IndexFunc(list, func(v cms.Setting) bool { return v.Group == group && v.Key == key })
}

// PublicSettings returns the settings that the public may read in a locale: every known group and
// key, "" if it is unset or private, and all others that are public. A missing translation falls
// back to the untranslated value.
func PublicSettings(site *Site, locale string) map[string]map[string]string {
	out := map[string]map[string]string{}
	put := func(v cms.Setting, value string) {
		if out[v.Group] == nil {
			out[v.Group] = map[string]string{}
		}
		out[v.Group][v.Key] = value
	}
	for _, v := range knownSettings() {
		put(v, "")
	}
	for _, v := range allSettings(site) {
		if !v.IsPublic {
			continue
		}
		value := v.Value
		if t := v.Translations[locale]; v.IsTranslatable && t != "" {
			value = t
		}
		put(v, value)
	}
	return out
}

// List lists all settings, the private ones too: it is for admins.
func (s *Settings) List(ctx context.Context) ([]cms.Setting, error) {
	if err := input.Permit(ctx, cms.ActionRead, cms.AreaSettings, "setting"); err != nil {
		return nil, err
	}
	site, err := s.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	return cms.EachSecret(allSettings(site), s.Store.UnsealText)
}

// settingInput is one element of the body of an update.
type settingInput struct {
	Group          *string            `json:"group"`
	Key            *string            `json:"key"`
	Value          *string            `json:"value"`
	IsPublic       *bool              `json:"is_public"`
	IsTranslatable *bool              `json:"is_translatable"`
	Translations   *map[string]string `json:"translations"`
}

// Update changes the settings that are listed, all or none; the others stay. A new setting is
// private and not translatable unless it says so. site.default_locale makes another active locale
// the default one. Problems are reported under <index>.<key>.
func (s *Settings) Update(ctx context.Context, actor cms.Actor, body []any, ok input.Precondition[[]cms.Setting]) ([]cms.Setting, error) {
	if err := input.PermitPublic(ctx, cms.ActionWrite, cms.AreaSettings, "setting"); err != nil {
		return nil, err
	}
	if len(body) > maxSettingsAtOne {
		return nil, cms.Errorf(cms.CodeValidationFailed, "Send at most %d settings at once.", maxSettingsAtOne)
	}
	problems := cms.Problems{}
	in := decodeSettings(body, problems)
	var result []cms.Setting
	err := s.Store.Retry(ctx, func() error {
		site, err := s.Store.Site(ctx)
		if err != nil {
			return err
		}
		p := cms.Problems{}
		p.Merge(problems)
		if result, err = cms.EachSecret(allSettings(site), s.Store.UnsealText); err != nil {
			return err
		}
		if err := ok.Check(result); err != nil {
			return err
		}
		changed := applySettings(&result, in, site, p)
		if err := p.Err(); err != nil || len(changed) == 0 {
			return err
		}
		if changed, err = cms.EachSecret(changed, s.Store.SealText); err != nil {
			return err
		}
		tx := s.Store.Begin()
		PutSettings(tx, site, changed...)
		for _, v := range changed {
			if isDefaultLocale(v) && v.Value != site.Default {
				makeDefault(tx, site, *site.Locale(v.Value))
				tx.Activity(actor, "locale.updated", "locale "+v.Value, v.Value)
			}
		}
		NoteSettings(tx, actor, site, changed...)
		return s.Store.Commit(ctx, tx)
	})
	return result, err
}

// Remove removes a setting; one of the known settings is unset then. NOT_FOUND when there is none
// of this name.
func (s *Settings) Remove(ctx context.Context, actor cms.Actor, group, key string) error {
	if err := input.PermitPublic(ctx, cms.ActionDelete, cms.AreaSettings, "setting"); err != nil {
		return err
	}
	return ChangeSite(ctx, s.Store, func(site *Site, tx *db.Tx) error {
		if DeleteSetting(tx, site, group, key) {
			NoteSettings(tx, actor, site, cms.Setting{Group: group, Key: key})
			return nil
		}
		if settingIndex(knownSettings(), group, key) >= 0 {
			return nil // unset already
		}
		return input.NotFound(db.ErrNotFound, "setting")
	})
}

func decodeSettings(body []any, p cms.Problems) []settingInput {
	in := make([]settingInput, len(body))
	seen := map[string]bool{}
	for i, item := range body {
		at := strconv.Itoa(i)
		object, ok := item.(map[string]any)
		if !ok {
			p.Add(at, "must be an object")
			continue
		}
		own := cms.Problems{}
		input.Decode(object, &in[i], own)
		for path, messages := range own {
			p[at+"."+path] = messages
		}
		id := input.Given(in[i].Group, "") + "." + input.Given(in[i].Key, "")
		if seen[id] {
			p.Add(at, "is listed twice")
		}
		seen[id] = true
	}
	return in
}

// settingName is what groups and keys look like. It is compiled when first needed: most functions
// never do.
var settingName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)
})

// applySettings changes the list and returns the settings that the input names.
func applySettings(list *[]cms.Setting, in []settingInput, site *Site, p cms.Problems) []cms.Setting {
	var changed []cms.Setting
	for i, inputNow := range in {
		at := strconv.Itoa(i)
		if len(p[at]) > 0 { // not an object, or listed twice
			continue
		}
		group, key := input.Given(inputNow.Group, ""), input.Given(inputNow.Key, "")
		for name, text := range map[string]string{"group": group, "key": key} {
			if !settingName().MatchString(text) && len(p[at+"."+name]) == 0 {
				p.Add(at+"."+name, "must start with a letter a-z and hold only a-z, digits and underscores, at most 64")
			}
		}
		j := settingIndex(*list, group, key)
		v := cms.Setting{Group: group, Key: key, Translations: map[string]string{}}
		if j >= 0 {
			v = (*list)[j]
		}
		inputNow.apply(at, &v, site, p)
		if l := site.Locale(v.Value); isDefaultLocale(v) && v.Value != site.Default && (l == nil || !l.IsActive) {
			p.Add(at+".value", "must be the code of an active locale")
		}
		if j >= 0 {
			(*list)[j] = v
		} else {
			*list = append(*list, v)
		}
		changed = append(changed, v)
	}
	return changed
}

func (in *settingInput) apply(at string, v *cms.Setting, site *Site, p cms.Problems) {
	v.Value = input.Given(in.Value, v.Value)
	v.IsPublic = input.Given(in.IsPublic, v.IsPublic)
	v.IsTranslatable = input.Given(in.IsTranslatable, v.IsTranslatable)
	if in.Translations != nil {
		v.Translations = map[string]string{}
		for code, text := range *in.Translations {
			path := at + ".translations." + code
			if site.Locale(code) == nil {
				p.Add(path, "is not a locale of this site")
			}
			checkText(p, path, text)
			if text != "" {
				v.Translations[code] = text
			}
		}
	}
	checkText(p, at+".value", v.Value)
}

func checkText(p cms.Problems, path, text string) {
	if utf8.RuneCountInString(text) > maxSetting {
		p.Add(path, "must have at most %d characters", maxSetting)
	}
}
