package strapi

import (
	"fmt"
	"slices"
	"strings"

	"headless/pkg/cms"
	"headless/scripts/cms/sources"
)

// titleName returns the attribute with the title of entries: one with a usual name such as title,
// or else the first text, as in Strapi. slugName returns the attribute with their slug. Both return
// "" if there is none.
func (s *schema) titleName() string {
	for _, name := range []string{"title", "name", "label", "headline"} {
		if s.Attributes.byName[name].Type == "string" {
			return name
		}
	}
	for _, name := range s.Attributes.names {
		if s.Attributes.byName[name].Type == "string" && name != s.slugName() {
			return name
		}
	}
	return ""
}

func (s *schema) slugName() string {
	for _, name := range s.Attributes.names {
		if a := s.Attributes.byName[name]; a.Type == "uid" || name == "slug" && a.Type == "string" {
			return name
		}
	}
	return ""
}

// ownKeys are attributes for which entries have other keys than the fields of their model.
var ownKeys = []string{"createdAt", "updatedAt", "publishedAt", "createdBy", "updatedBy", "locale", "localizations"}

// model returns the model for a content type.
func (s *reader) model(schema *schema) *cms.Model {
	fields := s.fields(schema, []string{schema.titleName(), schema.slugName()}, 1)
	m := sources.NewModel(s.slugOf(schema), schema.Info.DisplayName, schema.PluginOptions.I18n.Localized, fields...)
	if schema.Kind == "singleType" {
		m.Kind = cms.KindSingle
	}
	return m
}

// fields returns the fields for the attributes of a content type or a component, without the
// attributes in but. depth counts from 1.
func (s *reader) fields(schema *schema, but []string, depth int) (fields []cms.Field) {
	for _, name := range schema.Attributes.names {
		a := schema.Attributes.byName[name]
		if slices.Contains(ownKeys, name) || slices.Contains(but, name) {
			continue
		}
		f := cms.Field{Name: sources.FieldName(name), Label: name, Type: types[a.Type]}
		reason := s.shape(&f, a, depth)
		if f.Type == "" && reason == "" {
			reason = "is of the type " + a.Type
		}
		if reason != "" {
			s.site.Note(schema.UID+"."+name, "%s", reason)
			continue
		}
		fields = append(fields, f)
	}
	return fields
}

// shape completes the field for an attribute. If there can be none, reason says why.
func (s *reader) shape(f *cms.Field, a attribute, depth int) (reason string) {
	switch a.Type {
	case "enumeration":
		f.Type, f.Options = cms.TypeSelect, a.Enum
	case "media":
		f.Type, f.Many = cms.TypeMedia, a.Multiple
	case "relation":
		to := s.schemas[a.Target]
		if a.MappedBy != "" {
			return "is the other side of " + a.MappedBy
		}
		if to == nil || !to.isContent() {
			return "leads to what is not taken"
		}
		f.Type, f.Model, f.Many = cms.TypeRelation, s.slugOf(to), strings.HasSuffix(a.Relation, "ToMany")
	case "component", "dynamiczone":
		return s.nestComponents(f, a, depth)
	}
	f.Searchable = f.Type == cms.TypeRichText
	return ""
}

// nestComponents turns components into a group, a list or blocks.
func (s *reader) nestComponents(f *cms.Field, a attribute, depth int) (reason string) {
	f.Type = cms.TypeGroup
	if a.Repeatable {
		f.Type = cms.TypeList
	}
	below := depth + 1
	uids := []string{a.Component}
	if a.Type == "dynamiczone" {
		f.Type, uids, below = cms.TypeBlocks, a.Components, depth+2
	}
	if below > cms.MaxFieldDepth {
		return "is nested too deeply"
	}
	for _, uid := range uids {
		component := s.schemas[uid]
		if component == nil {
			return "its component " + uid + " is not in the export"
		}
		fields := s.fields(component, nil, below)
		switch {
		case a.Type != "dynamiczone":
			f.Fields = fields
		case len(fields) > 0:
			f.Fields = append(f.Fields, cms.Field{Name: sources.FieldName(uid), Label: uid,
				Type: cms.TypeGroup, Fields: fields})
		}
	}
	if len(f.Fields) == 0 {
		return "has no attributes that are taken"
	}
	return ""
}

// types has the types of fields by the types of Strapi, where these alone decide.
var types = map[string]cms.FieldType{
	"string": cms.TypeText, "text": cms.TypeTextarea, "richtext": cms.TypeRichText,
	"blocks": cms.TypeRichText, "email": cms.TypeEmail,
	"uid": cms.TypeText, "integer": cms.TypeNumber, "biginteger": cms.TypeNumber,
	"float": cms.TypeNumber, "decimal": cms.TypeNumber,
	"date": cms.TypeDate, "datetime": cms.TypeDateTime, "timestamp": cms.TypeDateTime,
	"time": cms.TypeText, "boolean": cms.TypeBoolean,
	"json": cms.TypeJSON,
}

// object returns the data of an entity or a component.
func (s *reader) object(e *sources.Entry, schema *schema, id string, in map[string]any,
	but []string) map[string]any {
	data := map[string]any{}
	for _, name := range schema.Attributes.names {
		if slices.Contains(ownKeys, name) || slices.Contains(but, name) {
			continue
		}
		a := schema.Attributes.byName[name]
		from := schema.UID + "\x00" + id + "\x00" + name
		sources.Put(data, sources.FieldName(name), s.value(e, a, from, in[name]))
	}
	return data
}

// value converts the value of an attribute, nil if there is none.
func (s *reader) value(e *sources.Entry, a attribute, from string, v any) any {
	switch a.Type {
	case "media", "relation":
		return s.references(e, a, from)
	case "component":
		if object, ok := v.(map[string]any); ok && !a.Repeatable {
			return s.component(e, a.Component, object)
		}
		return s.components(e, a, v)
	case "dynamiczone":
		return s.components(e, a, v)
	case "blocks":
		nodes, _ := v.([]any)
		return blocks(nodes)
	case "biginteger", "decimal":
		if text, ok := v.(string); ok {
			var number float64
			if _, err := fmt.Sscan(text, &number); err == nil {
				return number
			}
		}
	}
	if types[a.Type] == "" && a.Type != "enumeration" {
		return nil
	}
	return v
}

// components returns the items of a repeatable component or of a dynamic zone.
func (s *reader) components(e *sources.Entry, a attribute, v any) any {
	list, _ := v.([]any)
	items := []any{}
	for _, item := range list {
		object, ok := item.(map[string]any)
		if !ok {
			continue
		}
		uid := a.Component
		if a.Type == "dynamiczone" {
			uid, _ = object["__component"].(string)
		}
		made := s.component(e, uid, object)
		if made != nil && a.Type == "dynamiczone" {
			made["type"] = sources.FieldName(uid)
		}
		if made != nil {
			items = append(items, made)
		}
	}
	return items
}

func (s *reader) component(e *sources.Entry, uid string, object map[string]any) map[string]any {
	schema := s.schemas[uid]
	if schema == nil {
		s.site.Note(e.Source, "the component %s is not in the export", uid)
		return nil
	}
	for name, key := range map[string]string{"title": "metaTitle", "description": "metaDescription"} {
		sources.Put(e.SEO, name, textOf(object[key])) // keys of the SEO plugin
	}
	return s.object(e, schema, fmt.Sprint(object["id"]), object, nil)
}

// references returns the ids of the files or entries that an attribute refers to: a list if there
// may be several, else one id or nil.
func (s *reader) references(e *sources.Entry, a attribute, from string) any {
	ids := []any{}
	for _, to := range s.related[from] {
		switch file := s.files[to.Ref.String()]; {
		case to.Type == fileType && file != nil:
			ids = append(ids, file.ID)
		case to.Type != fileType && s.keys[to.Type+"\x00"+to.Ref.String()] != "":
			ids = append(ids, s.idOf(s.keys[to.Type+"\x00"+to.Ref.String()]))
		default:
			s.site.Note(e.Source, "leads to %s %s, which is not in the export", to.Type, to.Ref)
		}
	}
	if a.Multiple || strings.HasSuffix(a.Relation, "ToMany") {
		return ids
	}
	if len(ids) == 0 {
		return nil
	}
	return ids[0]
}
