package cms

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// mediaPath stands before the id of a file in its address.
const mediaPath = "/media/"

// Place is a place in content that leads to a media file or an entry (extensions §6).
type Place struct {
	Path string // data.steps.0.photo
	ID   string // of the target, in lower case
}

// Places finds every place of an entry that leads somewhere: relations and media fields, at any
// depth, and addresses of files in any text.
func Places(m *Model, e *Entry) []Place {
	var places []Place
	for _, r := range References(m, e.Data) {
		places = append(places, Place{r.Path, strings.ToLower(r.ID)})
	}
	places = append(places, mentions("title", e.Title)...)
	data := map[string]any{}
	for i := range m.Fields { // what stands under other keys is not shown
		if v, ok := e.Data[m.Fields[i].Name]; ok {
			data[m.Fields[i].Name] = v
		}
	}
	walkTexts("data", data, func(path, text string) { places = append(places, mentions(path, text)...) })
	places = append(places, mentions("seo.title", e.SEO.Title)...)
	return append(places, mentions("seo.description", e.SEO.Description)...)
}

// PathsTo are the paths of the places of an entry that lead to a target.
func PathsTo(m *Model, e *Entry, target string) (paths []string) {
	for _, p := range Places(m, e) {
		if p.ID == target {
			paths = append(paths, p.Path)
		}
	}
	return paths
}

// Places finds every place of a setting that leads to a file: an address, or an id that is the
// whole value.
func (v Setting) Places() []Place {
	var places []Place
	add := func(path, text string) {
		if IsUUID(text) {
			places = append(places, Place{path, strings.ToLower(text)})
		}
		places = append(places, mentions(path, text)...)
	}
	at := v.Group + "." + v.Key
	add(at, v.Value)
	for _, code := range slices.Sorted(maps.Keys(v.Translations)) {
		add(at+".translations."+code, v.Translations[code])
	}
	return places
}

// mentions finds the addresses of files in a text.
func mentions(path, text string) []Place {
	var places []Place
	for {
		_, rest, ok := strings.Cut(text, mediaPath)
		if !ok {
			return places
		}
		if text = rest; len(rest) >= 36 && IsUUID(rest[:36]) {
			id := strings.ToLower(rest[:36])
			if !slices.Contains(places, Place{path, id}) {
				places = append(places, Place{path, id})
			}
		}
	}
}

// walkTexts visits every text in a value, in a fixed order.
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

// Targets collects whatever in some values may be or name the id of a file or an entry, whatever
// the definition of the model says now: a superset of what Places finds under any definition.
func Targets(values ...any) map[string]bool {
	targets := map[string]bool{}
	for _, v := range values {
		walkTexts("", v, func(_, text string) {
			if IsUUID(text) {
				targets[strings.ToLower(text)] = true
			}
			for _, p := range mentions("", text) {
				targets[p.ID] = true
			}
		})
	}
	return targets
}

// Targets collects what an entry may lead to, itself left out.
func (e *Entry) Targets() map[string]bool {
	targets := Targets(map[string]any{"data": e.Data, "title": e.Title, "seo": e.SEO.Title,
		"text": e.SEO.Description})
	delete(targets, e.ID)
	return targets
}

// Targets collects what the changes of a draft may lead to.
func (p EntryPatch) Targets() map[string]bool {
	values := []any{p.Data}
	for _, text := range []*string{p.Title, p.SEOTitle, p.SEODescription} {
		if text != nil {
			values = append(values, *text)
		}
	}
	return Targets(values...)
}
