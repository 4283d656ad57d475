package settings

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/site"
)

const (
	maxSetting       = 10_000 // characters of a value
	maxSettingsAtOne = 75     // settings in one update, which is one transaction
)

// Settings are the use cases of the site's settings.
type Settings struct {
	Store *site.Store
	More  func(*db.Tx) error // adds to the transaction of an update that changes something; nil adds nothing
}

// List lists all settings, including private ones: it is for admins.
func (s *Settings) List(ctx context.Context) ([]cms.Setting, error) {
	if err := input.Permit(ctx, cms.ActionRead, cms.AreaSettings, "setting"); err != nil {
		return nil, err
	}
	siteNow, err := s.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	return cms.EachSecret(site.AllSettings(siteNow), s.Store.UnsealText)
}

// NamesPrivate reports whether a list of settings as for Update names a private one. A setting that does not exist is
// private unless the list says that it is public.
func NamesPrivate(siteNow *site.Site, list []any) bool {
	all := site.AllSettings(siteNow)
	return slices.ContainsFunc(list, func(one any) bool {
		v, _ := one.(map[string]any)
		at := slices.IndexFunc(all, func(s cms.Setting) bool { return s.Group == v["group"] && s.Key == v["key"] })
		return at >= 0 && !all[at].IsPublic || at < 0 && v["is_public"] != true
	})
}

// Update changes the listed settings, all or none; the others do not change. A new setting is
// private and not translatable by default. site.default_locale makes another active locale the
// default. Problems are reported under <index>.<key>.
func (s *Settings) Update(ctx context.Context, actor cms.Actor, body []any,
	ok input.Precondition[[]cms.Setting]) ([]cms.Setting, error) {
	if err := input.PermitPublic(ctx, cms.ActionWrite, cms.AreaSettings, "setting"); err != nil {
		return nil, err
	}
	problems := cms.Problems{}
	if len(body) > maxSettingsAtOne {
		problems.Add(strconv.Itoa(maxSettingsAtOne), "is one too many: at most %d settings can be sent at once",
			maxSettingsAtOne)
		return nil, problems.Err()
	}
	in := decodeSettings(body, problems)
	var result []cms.Setting
	err := site.ChangeSite(ctx, s.Store, func(siteNow *site.Site, tx *db.Tx) error {
		p := cms.Problems{}
		p.Merge(problems)
		before, err := cms.EachSecret(site.AllSettings(siteNow), s.Store.UnsealText)
		if err != nil {
			return err
		}
		if err := ok.Check(before); err != nil {
			return err
		}
		result = slices.Clone(before)
		sent := applySettings(&result, in, siteNow, p)
		if err := p.Err(); err != nil {
			return err
		}
		var changed []cms.Setting
		for _, v := range sent {
			var was cms.Setting
			if i := site.SettingIndex(before, v.Group, v.Key); i >= 0 {
				if was = before[i]; isSame(was, v) {
					continue
				}
			}
			if err := permit(ctx, siteNow, was, v, cms.ActionWrite); err != nil {
				return err
			}
			changed = append(changed, v)
		}
		if len(changed) == 0 {
			return nil
		}
		if changed, err = cms.EachSecret(changed, s.Store.SealText); err != nil {
			return err
		}
		site.PutSettings(tx, siteNow, changed...)
		for _, v := range changed {
			if site.IsDefaultLocale(v) && v.Value != siteNow.Default {
				site.MakeDefault(tx, siteNow, *siteNow.Locale(v.Value))
				tx.Activity(actor, "locale.updated", "locale "+v.Value, v.Value)
			}
		}
		Note(tx, actor, siteNow, changed...)
		if s.More != nil {
			return s.More(tx)
		}
		return nil
	})
	return result, err
}

// Name returns the name of a setting among all of them.
func Name(v cms.Setting) string { return v.Group + "/" + v.Key }

// Text returns the value of a setting and its translations as JSON.
func Text(v cms.Setting) string {
	translations := map[string]any{}
	for code, text := range v.Translations {
		translations[code] = text
	}
	raw, _ := cms.Marshal(map[string]any{"value": v.Value, "translations": translations}) // texts: this cannot fail
	return string(raw)
}

// PutText saves the value of a setting and its translations from what Text returned, unless ok refuses the present
// ones, or "" where there is no such setting.
func (s *Settings) PutText(ctx context.Context, actor cms.Actor, name, _, text string,
	ok func(now string) error) error {
	body, err := cms.DecodeObject([]byte(text))
	if err != nil {
		return err
	}
	body["group"], body["key"], _ = strings.Cut(name, "/")
	_, err = s.Update(ctx, actor, []any{body}, func(all []cms.Setting) error {
		now := ""
		if i := slices.IndexFunc(all, func(v cms.Setting) bool { return Name(v) == name }); i >= 0 {
			now = Text(all[i])
		}
		return ok(now)
	})
	return err
}

func isSame(a, b cms.Setting) bool {
	return a.Value == b.Value && a.IsPublic == b.IsPublic && a.IsTranslatable == b.IsTranslatable &&
		maps.Equal(a.Translations, b.Translations)
}

// permit checks that an action on a setting is permitted in the locales in which it changes the value, in all if it
// changes more than texts.
func permit(ctx context.Context, siteNow *site.Site, was, now cms.Setting, action cms.Action) error {
	changed := siteNow.Codes()
	if was.IsPublic == now.IsPublic && was.IsTranslatable == now.IsTranslatable {
		changed = input.ChangedLocales(siteNow.Locales, was.Translations, now.Translations, was.Value, now.Value)
	}
	return input.PermitLocales(ctx, cms.AreaSettings, "setting", changed, action, cms.ActionPublish)
}

// Remove deletes a setting; a known setting is unset instead. NOT_FOUND if there is none with this
// name.
func (s *Settings) Remove(ctx context.Context, actor cms.Actor, group, key string) error {
	if err := input.PermitPublic(ctx, cms.ActionDelete, cms.AreaSettings, "setting"); err != nil {
		return err
	}
	return site.ChangeSite(ctx, s.Store, func(siteNow *site.Site, tx *db.Tx) error {
		all := site.AllSettings(siteNow)
		if i := site.SettingIndex(all, group, key); i >= 0 {
			if err := permit(ctx, siteNow, all[i], cms.Setting{}, cms.ActionDelete); err != nil {
				return err
			}
		}
		if site.DeleteSetting(tx, siteNow, group, key) {
			Note(tx, actor, siteNow, cms.Setting{Group: group, Key: key})
			return nil
		}
		if site.SettingIndex(site.KnownSettings(), group, key) >= 0 {
			return nil // already unset
		}
		return input.NotFound(db.ErrNotFound, "setting")
	})
}
