package settings

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"headless/pkg/cms"
	"headless/pkg/cms/validation"
	"headless/pkg/input"
	"headless/pkg/site"
)

// settingInput is one element of the body of an update.
type settingInput struct {
	Group          *string            `json:"group"`
	Key            *string            `json:"key"`
	Value          **string           `json:"value"`
	IsPublic       *bool              `json:"is_public"`
	IsTranslatable *bool              `json:"is_translatable"`
	Translations   *map[string]string `json:"translations"`
}

// Stage applies a body to the unsealed settings of a site and returns those that it names. Problems
// are reported under <index>.<key>.
func Stage(p cms.Problems, body []any, siteNow *site.Site, list []cms.Setting) []cms.Setting {
	in := decodeSettings(body, p)
	return applySettings(&list, in, siteNow, p)
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
		decoded, own := input.Decode[settingInput](object)
		in[i] = decoded
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

// settingName matches groups and keys. It is compiled on first use, since most functions never use
// it.
var settingName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)
})

// applySettings changes the list and returns the settings that the input names.
func applySettings(list *[]cms.Setting, in []settingInput, siteNow *site.Site, p cms.Problems) []cms.Setting {
	var changed []cms.Setting
	for i, inputNow := range in {
		at := strconv.Itoa(i)
		if len(p[at]) > 0 { // not an object, or listed twice
			continue
		}
		group, key := input.Given(inputNow.Group, ""), input.Given(inputNow.Key, "")
		for name, text := range map[string]string{"group": group, "key": key} {
			if !settingName().MatchString(text) && len(p[at+"."+name]) == 0 {
				p.Add(at+"."+name,
					"must start with a letter a-z and hold only a-z, digits and underscores, at most 64")
			}
		}
		j := site.SettingIndex(*list, group, key)
		v := cms.Setting{Group: group, Key: key, Translations: map[string]string{}}
		if j >= 0 {
			v = (*list)[j]
		}
		inputNow.applyTo(at, &v, siteNow, p)
		if l := siteNow.Locale(v.Value); site.IsDefaultLocale(v) && v.Value != siteNow.Default &&
			(l == nil || !l.IsActive) {
			p.Add(at+".value", "must be the code of an active locale")
		}
		if v.Group == "site" && v.Key == "url" && v.Value != "" && !isRoot(v.Value) {
			p.Add(at+".value", "must be an http or https URL to which paths can be added")
		}
		if v.Group == "site" && v.Key == "preview_url" && v.Value != "" {
			validation.PreviewURL(p, at+".value", v.Value, "{token}", "{locale}")
		}
		if v.Group == "views" && v.Key == "enabled" && !slices.Contains([]string{"", "true", "false"}, v.Value) {
			p.Add(at+".value", "must be true or false")
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

func (in *settingInput) applyTo(at string, v *cms.Setting, siteNow *site.Site, p cms.Problems) {
	if !v.IsPublic && input.Given(in.IsPublic, false) && !in.givesAll(v.Translations) {
		p.Add(at+".value", "is needed, with all translations, to make a setting public")
	}
	if in.Value != nil {
		v.Value = input.Given(*in.Value, "") // null clears
	}
	v.IsPublic = input.Given(in.IsPublic, v.IsPublic)
	v.IsTranslatable = input.Given(in.IsTranslatable, v.IsTranslatable)
	if in.Translations != nil {
		v.Translations = map[string]string{}
		for code, text := range *in.Translations {
			path := at + ".translations." + code
			if siteNow.Locale(code) == nil {
				p.Add(path, "is not a locale of this site")
			}
			p.LimitLength(path, text, maxSetting)
			if text != "" {
				v.Translations[code] = text
			}
		}
	}
	p.LimitLength(at+".value", v.Value, maxSetting)
}

// givesAll reports whether the body holds the value and every translation that is stored. So who
// may not see a private setting cannot publish what it holds.
func (in *settingInput) givesAll(stored map[string]string) bool {
	given := map[string]string{}
	if in.Translations != nil {
		given = *in.Translations
	}
	for code := range stored {
		if _, ok := given[code]; !ok {
			return false
		}
	}
	return in.Value != nil && *in.Value != nil
}

// isRoot reports whether a text is a URL to which a path can be added.
func isRoot(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" &&
		u.User == nil && !strings.ContainsAny(text, "?#")
}
