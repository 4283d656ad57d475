package refs

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/markdown"
)

// mediaPath precedes the id of a file in its URL.
const mediaPath = "/media/"

// schemeBefore precedes mediaPath in a reference, which counts only in a destination.
const schemeBefore = "cms:/"

// Mention is an occurrence of a media file or an entry in content (extensions §6).
type Mention struct {
	Path string // data.steps.0.photo
	ID   string // of the target, in lower case
}

// Of finds every mention in an entry: relation and media fields at any depth, references in
// richtexts, and URLs of files in any text.
func Of(m *cms.Model, e *cms.Entry) []Mention {
	var found []Mention
	for _, r := range References(m, e.Data) {
		found = append(found, Mention{r.Path, strings.ToLower(r.ID)})
	}
	found = append(found, urlsIn("title", e.Title)...)
	data := map[string]any{}
	for i := range m.Fields { // data under other keys is never shown
		if v, ok := e.Data[m.Fields[i].Name]; ok {
			data[m.Fields[i].Name] = v
		}
	}
	walkTexts("data", data, func(path, text string) { found = append(found, urlsIn(path, text)...) })
	EachText(m.Fields, data, func(path, text string) {
		for _, t := range TextTargets(text) {
			if mention := (Mention{path, t.ID}); !slices.Contains(found, mention) {
				found = append(found, mention)
			}
		}
	})
	found = append(found, urlsIn("seo.title", e.SEO.Title)...)
	return append(found, urlsIn("seo.description", e.SEO.Description)...)
}

// EachText calls visit for each richtext in data, at any depth and in the blocks of texts.
func EachText(fields []cms.Field, data map[string]any, visit func(path, text string)) {
	var each Change
	each = func(path string, f *cms.Field, v any) (any, bool) {
		text, _ := v.(string)
		visit(path, text)
		for n, b := range markdown.Blocks(f, text) {
			MapWriting(markdown.BlockPath(path, n), f.FieldsOf(markdown.Part(b)), b.Values, each)
		}
		return v, false
	}
	MapRichTexts(fields, data, each)
}

// PathsTo returns the paths of an entry's mentions of a target.
func PathsTo(m *cms.Model, e *cms.Entry, target string) (paths []string) {
	for _, p := range Of(m, e) {
		if p.ID == target {
			paths = append(paths, p.Path)
		}
	}
	return paths
}

// RequiredPathsTo is PathsTo without richtexts, whose references never refuse a save (extensions
// §12).
func RequiredPathsTo(m *cms.Model, e *cms.Entry, target string) []string {
	paths := PathsTo(m, e, target)
	MapTexts(m.Fields, e.Data, func(path, text string) string {
		paths = slices.DeleteFunc(paths, func(p string) bool { return p == path })
		return text
	})
	return paths
}

// OfSetting finds every mention of a file in a setting: URLs of files, or an id as the whole value.
func OfSetting(v cms.Setting) []Mention {
	var found []Mention
	add := func(path, text string) {
		if cms.IsUUID(text) {
			found = append(found, Mention{path, strings.ToLower(text)})
		}
		found = append(found, urlsIn(path, text)...)
	}
	at := v.Group + "." + v.Key
	add(at, v.Value)
	for _, code := range slices.Sorted(maps.Keys(v.Translations)) {
		add(at+".translations."+code, v.Translations[code])
	}
	return found
}

// urlsIn finds the URLs of files in a text.
func urlsIn(path, text string) []Mention {
	var found []Mention
	for {
		before, rest, ok := strings.Cut(text, mediaPath)
		if !ok {
			return found
		}
		text = rest
		if id, _, ok := cutID(rest); ok && !strings.HasSuffix(before, schemeBefore) {
			if !slices.Contains(found, Mention{path, id}) {
				found = append(found, Mention{path, id})
			}
		}
	}
}

// walkTexts calls visit for every text in a value, in a fixed order.
func walkTexts(path string, v any, visit func(path, text string)) {
	switch v := v.(type) {
	case string:
		visit(path, v)
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			walkTexts(path+"."+key, v[key], visit)
		}
	case []any:
		for i, item := range v {
			walkTexts(path+"."+strconv.Itoa(i), item, visit)
		}
	}
}

// Targets collects every id that the values contain, or name in a URL of a file, in what looks like a
// reference, or in a text that may have blocks. It does not use the definition of the model, so the result contains
// all that Of finds under any definition.
func Targets(values ...any) map[string]bool {
	targets := map[string]bool{}
	for _, v := range values {
		walkTexts("", v, func(_, text string) {
			if cms.IsUUID(text) {
				targets[strings.ToLower(text)] = true
			}
			if markdown.MayHaveBlocks(text) {
				for i := range text {
					if id, _, ok := cutID(text[i:]); ok {
						targets[id] = true
					}
				}
			}
			for _, before := range []string{mediaPath, entryScheme} {
				for rest := text; ; {
					var ok bool
					if _, rest, ok = strings.Cut(rest, before); !ok {
						break
					}
					if id, _, ok := cutID(rest); ok {
						targets[id] = true
					}
				}
			}
		})
	}
	return targets
}

// TargetsOf collects the possible targets of an entry, except the entry itself.
func TargetsOf(e *cms.Entry) map[string]bool {
	targets := Targets(map[string]any{"data": e.Data, "title": e.Title, "seo": e.SEO.Title,
		"text": e.SEO.Description})
	delete(targets, e.ID)
	return targets
}

// TargetsOfPatch collects the possible targets of the changes in a draft.
func TargetsOfPatch(p cms.EntryPatch) map[string]bool {
	values := []any{p.Data}
	for _, text := range []*string{p.Title, p.SEOTitle, p.SEODescription} {
		if text != nil {
			values = append(values, *text)
		}
	}
	return Targets(values...)
}
