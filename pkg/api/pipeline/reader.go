package pipeline

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"slices"

	"headless/pkg/apikeys"
	"headless/pkg/cms"
	"headless/pkg/web"
)

// Reader runs the handlers of read routes for a key that the caller has checked. The delivery API
// uses it, so that both APIs show the same content in the same form.
type Reader struct {
	api *API
	mux *http.ServeMux
}

// Reading is a successful answer of a Reader.
type Reading struct {
	Body []byte    // the envelope
	Tags *cms.Tags // cache tags
}

// delivered are the routes of the API that the delivery API also has (extensions §8).
var delivered = []string{"/{model}", "/{model}/{idOrSlug}", "/resolve", "/menus/{slug}", "/search",
	"/settings", "/i18n/locales",
	"/forms/{slug}"}

// NewReader returns a reader of the routes in the tables that the delivery API has.
func NewReader(keys *apikeys.Store, log *slog.Logger, tables ...[]Route) *Reader {
	rd := &Reader{api: &API{keys: keys, log: log}, mux: http.NewServeMux()}
	taken := map[string]bool{}
	for _, r := range slices.Concat(tables...) {
		if r.Method != http.MethodGet || !slices.Contains(delivered, r.Pattern) {
			continue
		}
		taken[parameter.ReplaceAllString(r.Pattern, "{any}")] = true
		rd.mux.HandleFunc(r.Pattern, func(w http.ResponseWriter, req *http.Request) {
			run := w.(*reading)
			run.call.R = req
			run.answer, run.err = rd.api.runHandler(run.call, r)
		})
	}
	handleOthers(rd.mux, "", taken, noRoute)
	rd.mux.HandleFunc("/openapi.json", noRoute)
	return rd
}

// noRoute answers requests for paths that the delivery API does not have.
func noRoute(w http.ResponseWriter, _ *http.Request) {
	w.(*reading).err = web.ErrNothing
}

// Read answers a request for a path with a query. siteURL is the root URL of the service. The opening must have a key.
// It returns tags with an error too, since a 404 for a missing entry depends on its model.
func (rd *Reader) Read(ctx context.Context, o apikeys.Opening, siteURL, path string,
	query url.Values) (Reading, error) {
	req := &http.Request{Method: http.MethodGet,
		URL: &url.URL{Path: path, RawQuery: query.Encode()}, Header: http.Header{}}
	run := &reading{call: &Call{Site: o.Site, Key: o.Key, a: rd.api, root: siteURL,
		Tags: cms.NewTags(), Delivery: true}}
	rd.mux.ServeHTTP(run, req.WithContext(ctx))
	tags := run.call.Tags
	if cms.CodeOf(run.err) == cms.CodeEntryNotFound {
		tags.Model(run.call.R.PathValue("model"))
	}
	if run.err != nil {
		return Reading{Tags: tags}, run.err
	}
	meta, err := WithPreview(run.answer.Meta, run.answer.Preview)
	if err != nil {
		return Reading{}, err
	}
	body, err := web.Envelope(run.answer.Data, meta)
	return Reading{Body: body, Tags: tags}, err
}

// reading passes a call through the mux.
type reading struct {
	call   *Call
	answer Answer
	err    error
}

// Header, Write and WriteHeader implement http.ResponseWriter for the mux, which writes nothing
// itself.
func (*reading) Header() http.Header { return http.Header{} }

func (*reading) Write(p []byte) (int, error) { return len(p), nil }

func (*reading) WriteHeader(int) {}
