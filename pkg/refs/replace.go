package refs

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/markdown"
	"headless/pkg/slice"
)

// Edit returns a copy of an entry with other content, and whether it differs. The entry itself is not
// changed.
type Edit func(m *cms.Model, e *cms.Entry) (edited *cms.Entry, differs bool)

// Retarget returns Replace with these targets as an edit.
func Retarget(from, to, model string) Edit {
	return func(m *cms.Model, e *cms.Entry) (*cms.Entry, bool) { return Replace(m, e, from, to, model) }
}

// Replace returns a copy of an entry in which every mention of the target from is a mention of to:
// references at any depth and in richtexts, and URLs of files in any text (extensions §6). model is the slug of the
// model of to, "" for a file. changed is false if the entry has no mention of from. Both ids are in lower case. The
// entry itself is not changed.
func Replace(m *cms.Model, e *cms.Entry, from, to, model string) (replaced *cms.Entry, changed bool) {
	c := *e
	n := 0
	text := func(s string) string {
		s, found := replaceMentions(s, from, to)
		n += found
		return s
	}
	c.Title, c.SEO.Title, c.SEO.Description = text(c.Title), text(c.SEO.Title), text(c.SEO.Description)
	if data, ok := replaceTexts(e.Data, text).(map[string]any); ok && e.Data != nil {
		c.Data = data
	}
	c.Data = MapTexts(m.Fields, c.Data, func(_, text string) string {
		return Rewrite(text, func(destination string) (string, bool) {
			t, rest, ok := Parse(destination)
			if ok = ok && t.ID == from; ok {
				t.ID = to
				n++
			}
			return t.String() + rest, ok
		})
	})
	c.Data = MapRichTexts(m.Fields, c.Data, func(_ string, f *cms.Field, v any) (any, bool) {
		text, _ := v.(string)
		now, found := replaceInBlocks(f, text, from, to)
		n += found
		return now, found > 0
	})
	for _, r := range References(m, c.Data) {
		if strings.EqualFold(r.ID, from) {
			setAt(c.Data, strings.Split(strings.TrimPrefix(r.Path, "data."), "."), to, model)
			n++
		}
	}
	return &c, n > 0
}

// Patch applies the edit to the changes in a draft.
func (edit Edit) Patch(m *cms.Model, p cms.EntryPatch) (edited cms.EntryPatch, differs bool) {
	e := cms.Entry{Data: p.Data}
	texts := []struct{ in, out *string }{{p.Title, &e.Title}, {p.SEOTitle, &e.SEO.Title},
		{p.SEODescription, &e.SEO.Description}}
	for _, t := range texts {
		if t.in != nil {
			*t.out = *t.in
		}
	}
	after, differs := edit(m, &e)
	p.Data = after.Data
	for at, text := range map[**string]*string{&p.Title: &after.Title,
		&p.SEOTitle: &after.SEO.Title, &p.SEODescription: &after.SEO.Description} {
		if *at != nil {
			*at = text
		}
	}
	return p, differs
}

// ReplaceInSetting does the same as Replace for a setting: an id as the whole value, and URLs of
// the file.
func ReplaceInSetting(v cms.Setting, from, to string) (replaced cms.Setting, changed bool) {
	n := 0
	text := func(s string) string {
		if strings.EqualFold(s, from) {
			n++
			return to
		}
		s, found := replaceMentions(s, from, to)
		n += found
		return s
	}
	v.Value = text(v.Value)
	translations := make(map[string]string, len(v.Translations))
	for code, value := range v.Translations {
		translations[code] = text(value)
	}
	v.Translations = translations
	return v, n > 0
}

// replaceInBlocks replaces the id in the blocks of a text, and counts the replacements.
func replaceInBlocks(f *cms.Field, text, from, to string) (string, int) {
	var b strings.Builder
	id := regexp.MustCompile("(?i)" + regexp.QuoteMeta(from))
	at, n := 0, 0
	for _, block := range markdown.Blocks(f, text) {
		fields := f.FieldsOf(markdown.Part(block))
		refers := slices.ContainsFunc(appendReferences(nil, "", fields, block.Values),
			func(r Reference) bool { return strings.EqualFold(r.ID, from) })
		EachText(fields, block.Values, func(_, text string) {
			refers = refers || slices.ContainsFunc(TextTargets(text), func(t Target) bool { return t.ID == from })
		})
		if !refers {
			continue
		}
		source := text[block.Start:block.End]
		n += len(id.FindAllStringIndex(source, -1))
		b.WriteString(text[at:block.Start])
		b.WriteString(id.ReplaceAllString(source, to))
		at = block.End
	}
	b.WriteString(text[at:])
	return b.String(), n
}

// replaceMentions replaces the id in the URLs of a file in a text, and counts the replacements.
func replaceMentions(text, from, to string) (string, int) {
	var b strings.Builder
	n := 0
	for {
		before, rest, ok := strings.Cut(text, mediaPath)
		b.WriteString(before)
		if !ok {
			return b.String(), n
		}
		b.WriteString(mediaPath)
		if len(rest) >= len(from) && strings.EqualFold(rest[:len(from)], from) &&
			!strings.HasSuffix(before, schemeBefore) {
			b.WriteString(to)
			rest = rest[len(from):]
			n++
		}
		text = rest
	}
}

// replaceTexts copies a value, with text applied to every text in it.
func replaceTexts(v any, text func(string) string) any {
	switch v := v.(type) {
	case string:
		return text(v)
	case map[string]any:
		c := make(map[string]any, len(v))
		for key, item := range v {
			c[key] = replaceTexts(item, text)
		}
		return c
	case []any:
		return slice.Map(v, func(item any) any { return replaceTexts(item, text) })
	}
	return v
}

// setAt returns v with the reference at a path of names and indexes replaced. A list that has the new reference
// already loses the old one, since it may have none twice.
func setAt(v any, path []string, id, model string) any {
	if len(path) == 0 {
		return reference(v, id, model)
	}
	switch v := v.(type) {
	case map[string]any:
		v[path[0]] = setAt(v[path[0]], path[1:], id, model)
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i >= len(v) {
			return v
		}
		now := setAt(v[i], path[1:], id, model)
		if len(path) == 1 && slices.ContainsFunc(v, func(item any) bool { return reflect.DeepEqual(item, now) }) {
			return slices.Delete(v, i, i+1)
		}
		v[i] = now
	}
	return v
}

// reference returns the reference that replaces another one. In a relation to several models it names the model.
func reference(was any, id, model string) any {
	if _, several := was.(map[string]any); several {
		return map[string]any{"model": model, "id": id}
	}
	return id
}
