package links

import (
	"maps"
	"slices"
	"strconv"

	"headless/pkg/cms"
	"headless/pkg/stega"
)

// Sources tells where the texts of a preview are edited (extensions §15): by a mark in each text, or, with
// ByPointer, by the JSON pointer of each text in the answer.
type Sources struct {
	SiteURL   string            // root of the service, without a slash at the end
	ByPointer map[string]string // nil: texts are marked
	HTML      bool              // rich texts are shown as HTML

	marked map[*relatedEntry]bool
}

// Entry marks the texts in the shown data of an entry of a model, and in what is included in it. It returns
// the title and the data, which it copies where it changes them. withTitle says that the answer has the
// title. pointer leads to the entry in the answer.
func (s *Sources) Entry(m *cms.Model, id, title string, data map[string]any, withTitle bool,
	pointer string) (string, map[string]any) {
	href := s.SiteURL + "/admin/models/" + m.Slug + "/entries/" + id + "/edit#"
	if withTitle {
		title = s.markOne(title, pointer+"/title", href+"title")
	}
	return title, s.markObject(m.Fields, data, pointer+"/data", href, "data")
}

// markOne marks a text if it can be marked.
func (s *Sources) markOne(text, pointer, href string) string {
	if !stega.Fits(text) {
		return text
	}
	return s.markText(text, len(text), pointer, href)
}

// markText marks a text at a position, -1 for none.
func (s *Sources) markText(text string, position int, pointer, href string) string {
	switch {
	case position < 0:
		return text
	case s.ByPointer != nil:
		s.ByPointer[pointer] = href
		return text
	}
	return stega.Insert(text, position, stega.Mark(href))
}

// markObject marks the texts in the fields of an object. href is the address of the entry's form, to which
// path is added.
func (s *Sources) markObject(fields []cms.Field, object map[string]any, pointer, href, path string) map[string]any {
	if object == nil {
		return nil
	}
	marked := maps.Clone(object)
	for i := range fields {
		f := &fields[i]
		if v := object[f.Name]; v != nil {
			marked[f.Name] = s.markValue(f, v, pointer+"/"+f.Name, href, path+"."+f.Name)
		}
	}
	return marked
}

func (s *Sources) markValue(f *cms.Field, v any, pointer, href, path string) any {
	switch v := v.(type) {
	case string:
		return s.fieldText(f, v, pointer, href+path)
	case *relatedEntry:
		s.markRelated(v, pointer)
		return v
	case *cms.MediaInline:
		v.Alt = s.markOne(v.Alt, pointer+"/alt", s.SiteURL+"/admin/media/"+v.ID+"#"+v.AltPath)
		return v
	case map[string]any:
		if f.HasFields() {
			return s.markObject(f.FieldsOf(v), v, pointer, href, path)
		}
	case []any:
		if f.Type == cms.TypeRichText {
			return s.markParts(f, v, pointer, href, path)
		}
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = item
			if !isText(item) {
				at := strconv.Itoa(i)
				items[i] = s.markValue(f, item, pointer+"/"+at, href, path+"."+at)
			}
		}
		return items
	}
	return v
}

func isText(v any) bool {
	_, ok := v.(string)
	return ok
}

// fieldText marks the text of a field whose texts are for people.
func (s *Sources) fieldText(f *cms.Field, text, pointer, href string) string {
	switch {
	case f.Pattern != "" || len(f.Options) > 0:
	case f.Type == cms.TypeText || f.Type == cms.TypeTextarea:
		return s.markOne(text, pointer, href)
	case f.Type == cms.TypeRichText:
		return s.markText(text, s.richPlace(text), pointer, href)
	}
	return text
}

// richPlace returns where a mark stands in a rich text, -1 for nowhere.
func (s *Sources) richPlace(text string) int {
	if s.HTML {
		return stega.InHTML(text)
	}
	return stega.InMarkdown(text)
}

// markParts marks the last text of a richtext that is shown in parts, and the fields of its blocks.
func (s *Sources) markParts(f *cms.Field, parts []any, pointer, href, path string) []any {
	marked, block := slices.Clone(parts), 0
	last := -1
	for i, item := range parts {
		part, _ := item.(map[string]any)
		if part["type"] == cms.TextPart {
			if text, _ := part["text"].(string); s.richPlace(text) >= 0 {
				last = i
			}
			continue
		}
		marked[i] = s.markObject(f.FieldsOf(part), part, pointer+"/"+strconv.Itoa(i), href,
			path+".blocks."+strconv.Itoa(block))
		block++
	}
	if last >= 0 {
		part := maps.Clone(parts[last].(map[string]any))
		part["text"] = s.fieldText(f, part["text"].(string), pointer+"/"+strconv.Itoa(last)+"/text", href+path)
		marked[last] = part
	}
	return marked
}

// markRelated marks an included entry, which may appear several times in the answer.
func (s *Sources) markRelated(r *relatedEntry, pointer string) {
	if s.ByPointer == nil && s.marked[r] {
		return
	}
	if s.marked == nil {
		s.marked = map[*relatedEntry]bool{}
	}
	s.marked[r] = true
	r.Title, r.Data = s.Entry(&r.target.model.Model, r.ID, r.Title, r.Data, true, pointer)
}
