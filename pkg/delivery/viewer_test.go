package delivery

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"go.yaml.in/yaml/v3"

	"headless/pkg/api/openapi"
	"headless/pkg/blob"
	"headless/pkg/cms"
	"headless/pkg/must"
	"headless/pkg/web"
)

// viewer runs a CloudFront function of the template.
type viewer struct {
	engine  *goja.Runtime
	handler goja.Callable
	origin  string // that the function selected
	named   string // the visitor in the last request that it passed on
}

// visitor is the address from which requests come.
const visitor = "2606:4700::1"

func newViewer(t *testing.T, name string) *viewer {
	t.Helper()
	raw, err := os.ReadFile("../../template.yaml")
	must.Do(t, err)
	var template struct {
		Resources map[string]struct {
			Properties struct {
				FunctionCode yaml.Node `yaml:"FunctionCode"`
			} `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	must.Do(t, yaml.Unmarshal(raw, &template))
	code := template.Resources[name].Properties.FunctionCode.Value
	v := &viewer{engine: goja.New()}
	// The engine has no modules; CloudFront's own is stood in for.
	code = strings.Replace(code, "import cf from 'cloudfront';", "", 1)
	code = strings.NewReplacer("${DomainName}", "cms.Example.com", "${Views}", "true").Replace(code)
	selects := func(id string) { v.origin = id }
	must.Do(t, v.engine.Set("cf", map[string]any{"selectRequestOriginById": selects}))
	if _, err := v.engine.RunString(code); err != nil {
		t.Fatal(err)
	}
	var ok bool
	if v.handler, ok = goja.AssertFunction(v.engine.Get("handler")); !ok {
		t.Fatalf("%s has no handler", name)
	}
	return v
}

// call hands a request to the function in the form of CloudFront's event, and gives the query
// string and the Accept header that the origin gets, and the status if the function answers
// itself.
func (v *viewer) call(t *testing.T, uri, rawQuery, accept string) (query, forwarded string, status int64) {
	t.Helper()
	v.origin = ""
	headers := v.engine.NewObject()
	v.set(headers, "x-viewer-address", v.value("1.1.1.1")) // of the visitor's own making
	if accept != "" {
		v.set(headers, "accept", v.value(accept))
	}
	request, event := v.engine.NewObject(), v.engine.NewObject()
	v.set(request, "method", http.MethodGet)
	v.set(request, "uri", uri)
	v.set(request, "querystring", v.query(rawQuery))
	v.set(request, "headers", headers)
	v.set(event, "request", request)
	v.set(event, "viewer", map[string]any{"ip": visitor})
	v.set(event, "context", map[string]any{"requestId": "id"})
	result, err := v.handler(goja.Undefined(), event)
	if err != nil {
		t.Fatalf("%s?%s: %v", uri, rawQuery, err)
	}
	object := result.ToObject(v.engine)
	if code := object.Get("statusCode"); code != nil {
		return "", "", code.ToInteger()
	}
	named, _ := object.Get("headers").Export().(map[string]any)
	if h, _ := named["accept"].(map[string]any); h != nil {
		forwarded, _ = h["value"].(string)
	}
	v.named = ""
	if h, _ := named["x-viewer-address"].(map[string]any); h != nil {
		v.named, _ = h["value"].(string)
	}
	return queryText(object.Get("querystring").ToObject(v.engine)), forwarded, 0
}

// query is a query string as CloudFront passes it on: undecoded, with repeated names together.
func (v *viewer) query(raw string) *goja.Object {
	object := v.engine.NewObject()
	for _, pair := range strings.Split(raw, "&") {
		if pair == "" {
			continue
		}
		name, text, _ := strings.Cut(pair, "=")
		value := v.value(text)
		if object.Get(name) == nil {
			v.set(object, name, value)
			continue
		}
		parameter := object.Get(name).ToObject(v.engine)
		many := parameter.Get("multiValue")
		if many == nil {
			many = v.engine.NewArray(v.value(parameter.Get("value").String()))
			v.set(parameter, "multiValue", many)
		}
		list := many.ToObject(v.engine)
		v.set(list, list.Get("length").String(), value)
	}
	return object
}

func (v *viewer) value(text string) *goja.Object {
	object := v.engine.NewObject()
	v.set(object, "value", text)
	return object
}

func (v *viewer) set(object *goja.Object, name string, value any) {
	if err := object.Set(name, value); err != nil {
		panic(err) // the objects are plain
	}
}

func queryText(object *goja.Object) string {
	var pairs []string
	for _, name := range object.Keys() {
		parameter := object.Get(name).Export().(map[string]any)
		many, _ := parameter["multiValue"].([]any)
		if many == nil {
			many = []any{parameter}
		}
		for _, one := range many {
			pairs = append(pairs, name+"="+one.(map[string]any)["value"].(string))
		}
	}
	return strings.Join(pairs, "&")
}

// TestViewerNormalisesAsTheHandler gives many query strings to the CloudFront function and to the
// handler: a parameter that the function drops or moves never changes an answer, and equal
// questions in another order, or with names that nobody knows, share a cache key.
func TestViewerNormalisesAsTheHandler(t *testing.T) {
	v := newViewer(t, "DeliveryViewer")
	random := rand.New(rand.NewPCG(17, 2))
	known := []string{
		"locale=de", "page=2", "per_page=5", "sort=-title", "q=oak%20lamp", "fields=title,slug",
		"include=author", "images=400",
		"filter%5Btitle%5D=a", "filter[data.price][lt]=3", "%74ranslations=false",
		"version=published", "version=draft", "cursor=x%2Fy", "locale=fr",
	}
	others := []string{"utm_source=x", "fbclid=1", "populate=*", "Locale=de", "filterx=1", "x", "a%20b=c"}
	broken := []string{"q=%zz", "utm=%zz", "a;b=1", "q=a;b", "%zz=1"}
	routes := allRoutes(t)
	pick := func(from []string, n int) (some []string) {
		for range n {
			some = append(some, from[random.IntN(len(from))])
		}
		return some
	}
	for range 3000 {
		asked := pick(known, random.IntN(5))
		if random.IntN(10) == 0 {
			asked = append(asked, pick(broken, 1)...)
		}
		plain, _, _ := v.call(t, "/delivery/v1/pub_x/posts", strings.Join(asked, "&"), "")
		mixed := append(pick(others, random.IntN(3)), asked...)
		raw := strings.Join(mixed, "&")
		got, _, _ := v.call(t, "/delivery/v1/pub_x/posts", raw, "")
		if got != plain {
			t.Fatalf("%s gives %s, without what nobody knows %s", raw, got, plain)
		}
		if v.named != visitor {
			t.Fatalf("%s names the visitor %q", raw, v.named)
		}
		for _, rt := range routes {
			before, errBefore := rt.parseQuery(raw)
			after, errAfter := rt.parseQuery(got)
			if before.text != after.text || (errBefore == nil) != (errAfter == nil) {
				t.Fatalf("%s, %s: the handler reads %q (%v), behind the function %q (%v)", rt.name,
					raw, before.text, errBefore, after.text, errAfter)
			}
		}
		names := map[string]bool{} // of one name, the order counts
		for _, one := range asked {
			name, _, _ := strings.Cut(one, "=")
			names[name] = true
		}
		if len(names) == len(asked) {
			random.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
			if again, _, _ := v.call(t, "/delivery/v1/pub_x/posts", strings.Join(mixed, "&"), ""); again != got {
				t.Fatalf("%v in another order gives %s, not %s", mixed, again, got)
			}
		}
	}
	if _, _, status := v.call(t, "/admin", "", ""); status != 404 {
		t.Errorf("/admin: %d", status)
	}
}

// allRoutes returns the routes of all paths in the OpenAPI document.
func allRoutes(t *testing.T) (routes []*route) {
	t.Helper()
	var doc struct{ Paths map[string]any }
	must.Do(t, json.Unmarshal(openapi.DeliveryJSON(), &doc))
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		if rt := routeOf(strings.Split(path[1:], "/")); rt == nil {
			t.Errorf("%s has no route", path)
		} else if !slices.Contains(routes, rt) {
			routes = append(routes, rt)
		}
	}
	return routes
}

// TestViewerKnowsAllParameters finds a parameter of a route that the function would drop, or of which the handler
// takes two.
func TestViewerKnowsAllParameters(t *testing.T) {
	v := newViewer(t, "DeliveryViewer")
	for _, rt := range allRoutes(t) {
		for _, name := range rt.params {
			path := "/delivery/v1/pub_x/posts"
			if rt == seenRoute {
				path = "/delivery/v1/pub_x/seen"
			}
			if got, _, _ := v.call(t, path, url.QueryEscape(name)+"=1", ""); got == "" {
				t.Errorf("%s: the function drops %s", rt.name, name)
			}
			_, refused := rt.parseQuery(name + "=1&" + name + "=2")
			if name != "preview" && !web.IsFilter(name) && rt.alone != name && cms.CodeOf(refused) != cms.CodeBadRequest {
				t.Errorf("%s: two of %s give %v", rt.name, name, refused)
			}
		}
	}
}

// TestViewerAnswersViews: views of one entry are answered at the edge, and what the service refuses
// or answers otherwise reaches it.
func TestViewerAnswersViews(t *testing.T) {
	v := newViewer(t, "DeliveryViewer")
	const seen, id = "/delivery/v1/pub_x/seen", "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"
	for _, test := range []struct {
		path, query, forwarded string
		status                 int64
	}{
		{seen, "e=" + id, "", 204},
		{seen, "utm=1&e=" + strings.ToUpper(id), "", 204},
		{seen, "", "", 0},
		{seen, "e=x", "e=x", 0},
		{seen, "e=" + id + "&e=" + id, "e=" + id + "&e=" + id, 0},
		{"/delivery/v1/pub_x/posts/seen", "e=" + id, "e=" + id, 0},
		{"/delivery/v1/pub_x/posts", "e=" + id, "", 0},
	} {
		query, _, status := v.call(t, test.path, test.query, "")
		if query != test.forwarded || status != test.status {
			t.Errorf("%s?%s: %d, %q", test.path, test.query, status, query)
		}
	}
}

// TestMediaViewer sends files to the bucket and variants to the function that makes them.
func TestMediaViewer(t *testing.T) {
	v := newViewer(t, "MediaViewer")
	for _, test := range []struct{ query, accept, want, forwarded, origin string }{
		{"", "image/webp", "", "*/*", ""},
		{"utm=1", "", "", "*/*", ""},
		{"v=2&utm=1", "image/webp", "v=2", "*/*", ""}, // the bucket has one content only
		{"v=2&w=400", "", "v=2&w=400", "*/*", "images"},
		{"w=400", "image/webp", "w=400", "*/*", "images"},
		{"w=400&fm=auto&x=1", "image/avif,image/webp,*/*", "fm=auto&w=400", "image/webp", "images"},
		{"fm=auto&w=400", "image/png, image/webp;q=0.8", "fm=auto&w=400", "image/webp", "images"},
		{"fm=auto&w=400", "image/webp;q=0, */*", "fm=auto&w=400", "*/*", "images"},
		{"fm=auto", "", "fm=auto", "*/*", "images"},
		{"fm=webp&h=10", "text/html", "fm=webp&h=10", "*/*", "images"},
		{"w=1&w=2", "", "w=1&w=2", "*/*", "images"}, // the function refuses it
	} {
		query, forwarded, _ := v.call(t, "/media/0190", test.query, test.accept)
		if query != test.want || forwarded != test.forwarded || v.origin != test.origin {
			t.Errorf("%s with %q: %s with %q to %q", test.query, test.accept, query, forwarded, v.origin)
		}
	}
}

// TestMediaResponse compares the function with what the embedded server says of a file.
func TestMediaResponse(t *testing.T) {
	v := newViewer(t, "MediaResponse")
	for _, edition := range []int{0, 2, 12} {
		info := blob.Info{Meta: blob.Meta{Edition: edition}}
		for _, query := range []string{"", "v=1", "v=2", "v=12", "v=", "v=x", "w=64", "v=2&w=64", "v=2&fm=auto"} {
			stored := blob.Caching(info, httptest.NewRequest("GET", "/media/a", nil))
			headers, response, request, event := v.engine.NewObject(), v.engine.NewObject(),
				v.engine.NewObject(), v.engine.NewObject()
			v.set(headers, "cache-control", v.value(stored))
			if edition > 1 {
				v.set(headers, "x-amz-meta-edition", v.value(strconv.Itoa(edition)))
			}
			v.set(response, "statusCode", 200)
			v.set(response, "headers", headers)
			v.set(request, "querystring", v.query(query))
			v.set(event, "request", request)
			v.set(event, "response", response)
			if _, err := v.handler(goja.Undefined(), event); err != nil {
				t.Fatal(err)
			}
			want := blob.Caching(info, httptest.NewRequest("GET", "/media/a?"+query, nil))
			if strings.Contains(query, "w=") || strings.Contains(query, "fm=") {
				want = stored // the function that makes variants has set it
			}
			if got := headers.Get("cache-control").ToObject(v.engine).Get("value").String(); got != want {
				t.Errorf("edition %d, %q: %s, want %s", edition, query, got, want)
			}
		}
	}
}

// TestDomainViewer names the visitor, whatever a request says itself, and answers under the domain
// alone.
func TestDomainViewer(t *testing.T) {
	v := newViewer(t, "DomainViewer")
	for host, want := range map[string]string{"CMS.example.com": "2606:4700::1",
		"cms.example.com:443":           "2606:4700::1",
		"d111111abcdef8.cloudfront.net": "", "cms.example.com.evil.example": ""} {
		headers, request, event := v.engine.NewObject(), v.engine.NewObject(), v.engine.NewObject()
		visitor := v.engine.NewObject()
		v.set(headers, "host", v.value(host))
		v.set(headers, "x-viewer-address", v.value("1.1.1.1"))
		v.set(request, "headers", headers)
		v.set(visitor, "ip", "2606:4700::1")
		v.set(event, "request", request)
		v.set(event, "viewer", visitor)
		result, err := v.handler(goja.Undefined(), event)
		must.Do(t, err)
		answer, got := result.ToObject(v.engine), ""
		if code := answer.Get("statusCode"); code == nil {
			got = headers.Get("x-viewer-address").ToObject(v.engine).Get("value").String()
		} else if code.ToInteger() != 404 {
			t.Errorf("%s: %d", host, code.ToInteger())
		}
		if got != want {
			t.Errorf("%s: the visitor is %q, want %q", host, got, want)
		}
	}
}
