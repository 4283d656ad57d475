package api

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"time"

	"headless/pkg/apikeys"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/editing"
	"headless/pkg/site"
	"headless/pkg/web"
)

// Reader runs the handlers of some read routes on behalf of a key that was checked elsewhere. The
// delivery API answers through it, so that both show the same content in the same form.
type Reader struct {
	api *API
	mux *http.ServeMux
}

// Reading is a successful answer of a Reader.
type Reading struct {
	Body []byte    // the envelope
	Tags *cms.Tags // what it is made of
}

// delivered are the routes that the delivery API has of the API's (extensions §8).
var delivered = []string{"/{model}", "/{model}/{idOrSlug}", "/search", "/settings", "/i18n/locales",
	"/forms/{slug}"}

// NewReader makes a reader of those routes of the tables that the delivery API has.
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
			run.answer, run.err = rd.api.run(run.call, r)
		})
	}
	for _, first := range reserved {
		for _, pattern := range []string{"/" + first, "/" + first + "/{any}"} {
			if !taken[pattern] {
				rd.mux.HandleFunc(pattern, noRoute)
			}
		}
	}
	rd.mux.HandleFunc("/openapi.json", noRoute)
	rd.mux.HandleFunc("/", noRoute)
	return rd
}

// noRoute stands for addresses that the delivery API does not have.
func noRoute(w http.ResponseWriter, _ *http.Request) {
	w.(*reading).err = cms.Errorf(cms.CodeNotFound, "There is nothing at this address.")
}

// Read answers a path below the key with a query. The opening must have a key. Tags are returned
// with an error too: a 404 for a missing entry is about its model.
func (rd *Reader) Read(ctx context.Context, o apikeys.Opening, path string,
	query url.Values) (Reading, error) {
	req := &http.Request{Method: http.MethodGet,
		URL: &url.URL{Path: path, RawQuery: query.Encode()}, Header: http.Header{}}
	run := &reading{call: &Call{Site: o.Site, Key: o.Key, a: rd.api, start: time.Now(),
		tags: cms.NewTags(), delivery: true}}
	rd.mux.ServeHTTP(run, req.WithContext(ctx))
	tags := run.call.tags
	if cms.CodeOf(run.err) == cms.CodeEntryNotFound {
		tags.Model(run.call.R.PathValue("model"))
	}
	if run.err != nil {
		return Reading{Tags: tags}, run.err
	}
	body, err := web.Envelope(run.answer.Data, run.answer.Meta)
	return Reading{Body: body, Tags: tags}, err
}

// Render shows an entry as a list without parameters shows it to the key of an opening.
func Render(ctx context.Context, o apikeys.Opening, s *editing.Entries, m *site.Model,
	item content.EntryItem) (json.RawMessage, error) {
	c := &Call{R: (&http.Request{Method: http.MethodGet, URL: &url.URL{}}).WithContext(ctx),
		Site: o.Site, Key: o.Key}
	v := &view{c: c, h: entries{s}, full: m, model: visible(c, m)}
	return v.render(item)
}

// reading carries a call through the mux.
type reading struct {
	call   *Call
	answer Answer
	err    error
}

// Header, Write and WriteHeader make a reading fit the mux, which writes nothing itself.
func (*reading) Header() http.Header { return http.Header{} }

func (*reading) Write(p []byte) (int, error) { return len(p), nil }

func (*reading) WriteHeader(int) {}

// OriginsAllowed matches the Origin headers of a request against an allowlist; none at all are
// allowed.
func OriginsAllowed(list, origins []string) bool {
	return len(origins) == 0 || len(origins) == 1 && originAllowed(list, origins[0])
}

// MatchesTag reports whether an If-None-Match header names an entity tag.
func MatchesTag(headers []string, tag string) bool { return matchesTag(headers, tag, true) }

// ClientAddress is the address that a request came from, never taken from a header that a client
// can set.
func ClientAddress(r *http.Request) netip.Addr { return (&Call{R: r}).Address() }
