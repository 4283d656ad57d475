package query

import (
	"errors"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
)

func TestFilterMatch(t *testing.T) {
	m := cmstest.Model(t, cmstest.FullModel)
	e := &cms.Entry{ID: cmstest.ID, Title: "Äpfel", Slug: "aepfel", Status: cms.StatusPublished, Locale: "de",
		CreatedAt: cms.At(time.Date(2024, 5, 1, 12, 0, 0, 250e6, time.UTC))}
	e.Data = cmstest.Object(t,
		`{"price": 10.50, "featured": false, "day": "2024-02-29", "moment": "2024-03-01T01:00:00+02:00", "color": "red",
		"tags": ["a", "b"], "gallery": [], "author": "`+cmstest.ID+`", "notes": "", "place": {"city": "Bern", "size": null},
		"steps": [{"label": "mix", "done": true}, {"label": "bake"}], "blocks": [{"type": "hero", "heading": "Hi", "value": "5"}, {"type": "stat", "value": 7}],
		"meta": {"n": 5, "s": "5", "b": true, "null": null, "list": [1, [2, "x"]], "o": {"deep": [{"k": 1e3}, {"k": "v"}]}}}`)
	for _, c := range []struct {
		query string
		want  bool
	}{
		{"filter[title]=Äpfel", true}, {"filter[title]=äpfel", false}, {"filter[id]=" + cmstest.ID, true},
		{"filter[status][ne]=draft", true},
		{"filter[created_at]=2024-05-01T14:00:00.25+02:00", true},
		{"filter[created_at]=2024-05-01T14:00:00.25 02:00", true},
		{"filter[created_at][gt]=2024-05-01", true}, {"filter[created_at][lt]=2024-05-01", false},
		{"filter[published_at][null]=true", true}, {"filter[published_at][ne]=2024-01-01", true},
		{"filter[published_at][lt]=2030-01-01", false},

		{"filter[data.price]=10.5", true}, {"filter[data.price]=1.05e1", true},
		{"filter[data.price]=10.51", false},
		{"filter[data.price][gte]=10.5", true}, {"filter[data.price][gt]=10.5", false},
		{"filter[data.price][gt]=9", true},
		{"filter[data.price][lt]=1e999999999", true}, {"filter[data.price][in]=1,10.500", true},
		{"filter[data.price][nin]=1,10.500", false},
		{"filter[data.featured]=false", true}, {"filter[data.featured]=true", false},
		{"filter[data.featured][lt]=true", true}, {"filter[data.featured][gte]=true", false},
		{"filter[data.featured][ne]=true", true},
		{"filter[data.day]=2024-02-29", true}, {"filter[data.day]=2024-02-29T00:00:00Z", true},
		{"filter[data.moment]=2024-02-29T23:00:00Z", true},
		{"filter[data.moment][lt]=2024-03-01", true},

		{"filter[data.color][in]=blue,red", true}, {"filter[data.color][nin]=blue", true},
		{"filter[data.color][contains]=e", true},
		{"filter[data.color][contains]=E", false}, {"filter[data.color][starts_with]=re", true},
		{"filter[data.color][starts_with]=ed", false},
		{"filter[data.color][gt]=green", true}, {"filter[data.color][lte]=red", true},
		{"filter[data.tags]=a", true}, {"filter[data.tags]=c", false},
		{"filter[data.tags][ne]=a", false}, {"filter[data.tags][ne]=c", true},
		{"filter[data.tags][in]=c,b", true}, {"filter[data.tags][nin]=c,b", false},
		{"filter[data.tags][null]=false", true},
		{"filter[data.author]=" + cmstest.ID, true}, {"filter[data.author]=x", false},
		{"filter[data.author]=" + strings.ToUpper(cmstest.ID), true},
		{"filter[id]=" + strings.ToUpper(cmstest.ID), true},
		{"filter[data.author][contains]=0F8F", true},
		{"filter[data.author][in]=x," + strings.ToUpper(cmstest.ID), true},
		{"filter[data.author][contains]=0f8f", true}, {"filter[data.author][gt]=0", true},

		{"filter[data.gallery][null]=true", true}, {"filter[data.gallery]=x", false},
		{"filter[data.gallery][ne]=x", true},
		{"filter[data.notes][null]=true", false}, {"filter[data.notes]=", true},
		{"filter[data.code]=", false}, {"filter[data.code][ne]=x", true},
		{"filter[data.code][nin]=x,y", true}, {"filter[data.code][null]=true", true},
		{"filter[data.code][contains]=", false},
		{"filter[data.place][null]=false", true}, {"filter[data.place.city]=Bern", true},
		{"filter[data.place.size][null]=true", true},
		{"filter[data.place.size][lt]=5", false},

		{"filter[data.steps.label]=bake", true}, {"filter[data.steps.label][ne]=bake", false},
		{"filter[data.steps.done]=true", true},
		{"filter[data.steps.done]=false", false}, {"filter[data.steps][null]=true", false},
		{"filter[data.blocks.type]=stat", true}, {"filter[data.blocks.type]=x", false},
		{"filter[data.blocks.heading][starts_with]=H", true},
		{"filter[data.blocks.value]=5", true}, {"filter[data.blocks.value]=7.0", true},
		{"filter[data.blocks.value]=5.0", false},

		{"filter[data.meta.n]=5.0", true}, {"filter[data.meta.s]=5.0", false},
		{"filter[data.meta.s]=5", true}, {"filter[data.meta.b]=true", true},
		{"filter[data.meta.b]=1", false}, {"filter[data.meta.b][lt]=true", false},
		{"filter[data.meta.null][null]=true", true},
		{"filter[data.meta.null]=null", false}, {"filter[data.meta.list]=2", true},
		{"filter[data.meta.list]=x", true}, {"filter[data.meta.list][ne]=x", false},
		{"filter[data.meta.o.deep.k]=1000", true}, {"filter[data.meta.o.deep.k]=v", true},
		{"filter[data.meta.o][null]=false", true},
		{"filter[data.meta.o]=x", false}, {"filter[data.meta.o.none.at.all][null]=true", true},
		{"filter[data.meta.n.x][null]=true", true},
		{"filter[data.meta.n][gt]=4", true}, {"filter[data.meta.n][gt]=a", false},
		{"filter[data.meta.n][contains]=5", false},
	} {
		key, value, _ := strings.Cut(c.query, "=")
		f, err := ParseFilter(key, value)
		if err == nil {
			err = ValidateFilter(m, f)
		}
		if err != nil {
			t.Errorf("%s: %v", c.query, err)
		} else if got := f.Match(m, e, nil); got != c.want {
			t.Errorf("%s matches: %v", c.query, got)
		}
	}
}

func TestFilterTextOrder(t *testing.T) {
	m := cmstest.Model(t, cmstest.FullModel)
	fold := func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }
	e := &cms.Entry{Title: "banana"}
	lt := Filter{Path: "title", Op: OpLt, Values: []string{"Cherry"}}
	if lt.Match(m, e, nil) || !lt.Match(m, e, fold) {
		t.Error("the order of texts given is not the one used")
	}
	if eq := (Filter{Path: "title", Op: OpEq, Values: []string{"BANANA"}}); eq.Match(m, e, fold) {
		t.Error("equality of texts is not exact")
	}
}

func TestFilterAfterModelChange(t *testing.T) {
	m := cmstest.Model(t, cmstest.FullModel)
	e := &cms.Entry{Data: cmstest.Object(t, `{"price": "5", "color": 5, "day": "soon"}`)}
	for _, f := range []Filter{{"data.price", OpEq, []string{"5"}},
		{"data.color", OpEq, []string{"5"}}, {"data.day", OpGt, []string{"2024-01-01"}}} {
		if f.Match(m, e, nil) {
			t.Errorf("%v matches a value of another kind", f)
		}
	}
}

func TestFilterErrors(t *testing.T) {
	m := cmstest.Model(t, cmstest.FullModel)
	for _, c := range []struct{ query, names string }{
		{"filter=x", "filter"}, {"filter[]=x", "filter[name]"}, {"filter[title=x", "filter[title"},
		{"filter[title]x=x", "operator"},
		{"filter[title][]=x", "starts_with"}, {"filter[title][like]=x", "like"},
		{"filter[title][eq][eq]=x", "operator"}, {"filter[[title]=x", "filter"},
		{"filter[nope]=x", "data.place.city"}, {"filter[price]=x", "price"},
		{"filter[data]=x", "data"}, {"filter[data.nope]=x", "data.nope"},
		{"filter[data.body.x]=x", "data.body.x"}, {"filter[data.place.nope]=x", "data.place.nope"},
		{"filter[data.meta.]=x", "data.meta."},
		{"filter[data.meta..x]=x", "data.meta..x"}, {"filter[data.]=x", "data."},
		{"filter[seo.title]=x", "seo.title"},
		{"filter[data.price]=abc", "abc"}, {"filter[data.price]=", "a number"},
		{"filter[data.price][in]=1,x", "x"}, {"filter[data.price][contains]=1", "gte"},
		{"filter[data.featured]=yes", "true or false"},
		{"filter[data.featured][contains]=true", "lt"}, {"filter[data.day]=2024-02-30", "2024-02-30"},
		{"filter[created_at][starts_with]=2024", "starts_with"}, {"filter[data.place]=x", "null"},
		{"filter[title][null]=yes", "yes"},
	} {
		key, value, _ := strings.Cut(c.query, "=")
		f, err := ParseFilter(key, value)
		if err == nil {
			err = ValidateFilter(m, f)
		}
		if e, ok := errors.AsType[*cms.Error](err); !ok || e.Code != cms.CodeBadRequest ||
			!strings.Contains(e.Message, c.names) {
			t.Errorf("%s: %v", c.query, err)
		}
	}
}

func TestHiddenFieldsAreUnknown(t *testing.T) {
	m := cmstest.Model(t, cmstest.FullModel).Visible()
	if err := ValidateFilter(m, Filter{"data.color", OpEq, []string{"x"}}); err == nil ||
		strings.Contains(strings.ReplaceAll(err.Error(), `"data.color"`, ""), "color") {
		t.Errorf("a hidden field shows: %v", err)
	}
}
