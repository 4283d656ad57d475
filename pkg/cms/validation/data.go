package validation

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/slice"
)

// rules select which checks apply to values, beyond types, options and the length of texts.
type rules struct {
	required  bool
	noMin     bool
	noMax     bool // no maximum for numbers and lists
	noPattern bool
}

// The rules for drafts and for new entries that may be incomplete (extensions §2).
var (
	draftRules      = rules{noMin: true, noMax: true, noPattern: true}
	incompleteRules = rules{noMin: true, noPattern: true}
)

// validateData checks an entry's data against the model and reports all problems under data.<path>,
// up to about 1,000. before is the stored data, nil on create: keys that were removed from the
// model are accepted if their value is unchanged. The data is never changed.
//
// Text patterns are RE2 and match anywhere in the text unless they are anchored. An empty text or
// list counts as missing if the field is required.
func (c Checks) validateData(m *cms.Model, data, before map[string]any, r rules) cms.Problems {
	d := dataCheck{Checks: c, p: Objects(data), rules: r}
	if len(d.p) > 0 {
		return d.p // not each of them
	}
	for key, v := range data {
		old, had := before[key]
		d.stale = had && reflect.DeepEqual(old, v)
		if f := m.Field(key); f != nil {
			if v != nil && !f.IsShown(data) {
				optional := *f
				optional.Required = false
				f = &optional
			}
			if v != nil {
				d.checkValue("data."+key, f, v)
			}
		} else if !d.stale {
			d.addProblem("data."+key, "is not a known field")
		}
	}
	d.reportMissing("data", m.Fields, data)
	return d.p
}

// MaxObjects is how many objects the data of an entry may hold: groups, rows, blocks, and those in values of
// type json. A request holds several states of an entry, at up to 2 KB an object.
const MaxObjects = 25_000

// Objects finds out whether data holds too many objects.
func Objects(data map[string]any) cms.Problems {
	p := cms.Problems{}
	if countObjects(data) > MaxObjects+1 { // with data itself
		p.Add("data", "has more than %d rows, blocks and groups: move some of them to other entries", MaxObjects)
	}
	return p
}

func countObjects(v any) (n int) {
	switch v := v.(type) {
	case map[string]any:
		n = 1
		for _, inner := range v {
			n += countObjects(inner)
		}
	case []any:
		for _, item := range v {
			n += countObjects(item)
		}
	}
	return n
}

// dataCheck walks data along field definitions.
type dataCheck struct {
	Checks
	rules
	p        cms.Problems
	stale    bool // accept keys that the model does not know (any more)
	patterns map[string]pattern
	steps    int // spent on patterns so far
}

func (c *dataCheck) full() bool { return len(c.p) >= cms.MaxProblems }

func (c *dataCheck) addProblem(path, format string, args ...any) {
	if !c.full() {
		c.p.Add(path, format, args...)
	}
}

// reportMissing reports the required fields that an object lacks.
func (c *dataCheck) reportMissing(path string, fields []cms.Field, object map[string]any) {
	if !c.required {
		return
	}
	for i := range fields {
		if fields[i].Required && object[fields[i].Name] == nil && fields[i].IsShown(object) {
			c.addProblem(path+"."+fields[i].Name, "is required")
		}
	}
}

// checkObject checks the keys of a group, an item of a list, or a block. The key except is allowed
// although no field has this name.
func (c *dataCheck) checkObject(path string, fields []cms.Field, object map[string]any, except string) {
	for key, v := range object {
		if key == except {
			continue
		}
		if f := cms.FieldNamed(fields, key); f == nil {
			if !c.stale {
				c.addProblem(path+"."+key, "is not a known field")
			}
		} else if v != nil {
			c.checkValue(path+"."+key, f, v)
		}
	}
	c.reportMissing(path, fields, object)
}

// checkValue checks one non-null value.
func (c *dataCheck) checkValue(path string, f *cms.Field, v any) {
	list, isList := v.([]any)
	if c.required && f.Required && f.Type != cms.TypeJSON && (v == "" || isList && len(list) == 0) {
		c.addProblem(path, "is required")
		return
	}
	switch {
	case f.IsList() && !isList:
		c.addProblem(path, "must be a list")
	case f.IsList():
		c.list(path, f, list)
	case f.Type == cms.TypeGroup:
		c.group(path, f, v)
	case f.Type == cms.TypeBoolean:
		if _, ok := v.(bool); !ok {
			c.addProblem(path, "must be true or false")
		}
	case f.Type == cms.TypeNumber:
		c.checkNumber(path, f, v)
	case len(f.Models) > 0:
		c.checkTarget(path, f, v)
	case f.Type != cms.TypeJSON:
		c.checkText(path, f, v)
	}
}

// checkTarget checks a value of a relation to several models: {"model", "id"} and nothing else.
func (c *dataCheck) checkTarget(path string, f *cms.Field, v any) {
	object, ok := v.(map[string]any)
	if !ok {
		c.addProblem(path, "must be an object with model and id")
		return
	}
	model, _ := object["model"].(string)
	if !slices.Contains(f.Models, model) {
		c.addProblem(path+".model", "must be one of: %s", cms.Shorten(strings.Join(f.Models, ", ")))
	}
	if id, _ := object["id"].(string); !cms.IsUUID(id) {
		c.addProblem(path+".id", "must be an id (UUID)")
	}
	for key := range object {
		if key != "model" && key != "id" {
			c.addProblem(path+"."+key, "is not a known field")
		}
	}
}

func (c *dataCheck) group(path string, f *cms.Field, v any) {
	object, ok := v.(map[string]any)
	if !ok {
		c.addProblem(path, "must be an object")
		return
	}
	c.checkObject(path, f.Fields, object, "")
}

func (c *dataCheck) checkNumber(path string, f *cms.Field, v any) {
	n, ok := v.(json.Number)
	d, valid := query.ParseDecimal(string(n))
	if !ok || !valid {
		c.addProblem(path, "must be a number")
		return
	}
	// Numbers that a 64-bit float cannot approximate are refused, since JavaScript clients would
	// read Infinity or 0.
	if x, err := strconv.ParseFloat(string(n), 64); err != nil || len(n) > 400 || x == 0 && d.Digits != "" {
		c.addProblem(path, "must be a number that fits a 64-bit float, in at most 400 characters")
		return
	}
	if !c.noMin && f.Min != nil && d.Compare(query.DecimalOf(*f.Min)) < 0 {
		c.addProblem(path, "must be at least %s", formatLimit(*f.Min))
	}
	if !c.noMax && f.Max != nil && d.Compare(query.DecimalOf(*f.Max)) > 0 {
		c.addProblem(path, "must be at most %s", formatLimit(*f.Max))
	}
}

func formatLimit(f float64) string {
	if math.Abs(f) < 1e15 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// checkText checks the types whose values are JSON strings.
func (c *dataCheck) checkText(path string, f *cms.Field, v any) {
	s, ok := v.(string)
	if !ok {
		c.addProblem(path, "must be a string")
		return
	}
	if message := f.FormatProblem(s); message != "" {
		c.addProblem(path, "%s", message)
	}
	if !f.IsText() {
		return
	}
	if c.Blocks != nil {
		c.blocksIn(path, f, s)
	}
	n := utf8.RuneCountInString(s)
	c.checkCount(path, f, n, "characters")
	if !c.noPattern && f.Pattern != "" && (f.Max == nil || float64(n) <= *f.Max) {
		c.matchPattern(path, f, s)
	}
}

// checkCount compares a length with min and max.
func (c *dataCheck) checkCount(path string, f *cms.Field, n int, unit string) {
	if !c.noMin && f.Min != nil && float64(n) < *f.Min {
		c.addProblem(path, "must have at least %s %s", formatLimit(*f.Min), unit)
	}
	if (!c.noMax || f.IsText()) && f.Max != nil && float64(n) > *f.Max {
		c.addProblem(path, "must have at most %s %s", formatLimit(*f.Max), unit)
	}
}

// list checks the items of multiselect, list and blocks fields, and of references with Many.
func (c *dataCheck) list(path string, f *cms.Field, items []any) {
	c.checkCount(path, f, len(items), "items")
	seen := map[string]bool{}
	for i, item := range items {
		if c.full() {
			return
		}
		at := path + "." + strconv.Itoa(i)
		switch f.Type {
		case cms.TypeList:
			c.group(at, f, item)
		case cms.TypeBlocks:
			c.checkBlock(at, f, item)
		default:
			c.choice(at, f, item, seen)
		}
	}
}

// choice checks one option or id of a list that may not have duplicates.
func (c *dataCheck) choice(at string, f *cms.Field, item any, seen map[string]bool) {
	s, ok := item.(string)
	if len(f.Models) > 0 {
		c.checkTarget(at, f, item)
		model, id := f.Target(item)
		s = model + "/" + id
	} else if !ok {
		c.addProblem(at, "must be a string")
		return
	} else if message := f.FormatProblem(s); message != "" {
		c.addProblem(at, "%s", message)
	}
	if f.IsReference() {
		s = strings.ToLower(s)
	}
	if seen[s] {
		c.addProblem(at, "is listed twice")
	}
	seen[s] = true
}

func (c *dataCheck) checkBlock(at string, f *cms.Field, item any) {
	object, ok := item.(map[string]any)
	if !ok {
		c.addProblem(at, "must be an object with a type")
		return
	}
	name, _ := object["type"].(string)
	kind := cms.FieldNamed(f.Fields, name)
	if kind == nil {
		c.addProblem(at+".type", "must be one of: %s", cms.Shorten(strings.Join(fieldNames(f.Fields), ", ")))
		return
	}
	c.checkObject(at, kind.Fields, object, "type")
}

// maxTextBlocks is how many blocks a text may have (extensions §12).
const maxTextBlocks = 200

// blocksIn checks the blocks in a text.
func (c *dataCheck) blocksIn(path string, f *cms.Field, text string) {
	for i, b := range c.Blocks(f, text) {
		at := path + ".blocks." + strconv.Itoa(i)
		kind := cms.FieldNamed(f.Fields, b.Type)
		switch {
		case i == maxTextBlocks:
			c.addProblem(at, "is too many: a text holds at most %d blocks", maxTextBlocks)
			return
		case kind == nil:
			c.addProblem(at, "must have one of the types: %s", cms.Shorten(strings.Join(fieldNames(f.Fields), ", ")))
		case b.Problem != "":
			c.addProblem(at, "%s", b.Problem)
		default:
			c.checkObject(at, kind.Fields, b.Values, "")
		}
	}
}

func fieldNames(fields []cms.Field) []string {
	return slice.Map(fields, func(f cms.Field) string { return f.Name })
}
