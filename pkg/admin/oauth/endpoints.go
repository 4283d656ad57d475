// Package oauth lets users allow programs to use /mcp in their name, by OAuth 2.1 (extensions §17):
// the documents that programs find it by, the endpoints, the page of the consent, and the list of
// what a user has allowed.
package oauth

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"headless/pkg/access"
	"headless/pkg/access/grants"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/web"
)

// Endpoints answers requests of programs.
type Endpoints struct {
	Grants  *grants.Grants
	SiteURL string // root URL of the service
	Log     *slog.Logger
}

// resource is the only resource that tokens are for (RFC 8707).
func resource(siteURL string) string { return siteURL + "/mcp" }

// maxBody is the maximum size of a body in bytes.
const maxBody = 64 << 10

// Handler answers the requests for these endpoints, and passes others to next.
func (e Endpoints) Handler(next http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", next)
	for _, path := range []string{"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"} {
		mux.HandleFunc(path, e.openEndpoint(http.MethodGet, e.resourceMetadata))
	}
	mux.HandleFunc("/.well-known/oauth-authorization-server", e.openEndpoint(http.MethodGet, e.serverMetadata))
	mux.HandleFunc("/oauth/register", e.openEndpoint(http.MethodPost, e.register))
	mux.HandleFunc("/oauth/token", e.openEndpoint(http.MethodPost, e.token))
	mux.HandleFunc("/oauth/revoke", e.openEndpoint(http.MethodPost, e.revoke))
	mux.HandleFunc("/oauth/authorize", e.authorize)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/oauth/") || strings.HasPrefix(r.URL.Path, "/.well-known/oauth-") {
			mux.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r) // which answers unclean paths itself
	})
}

// openEndpoint serves an endpoint that browsers may call from every site: it looks at no cookie.
func (e Endpoints) openEndpoint(method string, answer func(x *web.Exchange) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Cache-Control", "no-store")
		x := web.NewExchange(w, r)
		switch {
		case r.Method == http.MethodOptions:
			h.Set("Access-Control-Allow-Methods", method+", OPTIONS")
			h.Set("Access-Control-Allow-Headers", "Content-Type, Authorization, MCP-Protocol-Version")
			w.WriteHeader(http.StatusNoContent)
			return
		case r.Method != method && (method != http.MethodGet || r.Method != http.MethodHead):
			e.refuseMethod(x, method, method+", OPTIONS")
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		data, err := answer(&x)
		if err != nil {
			e.writeError(x, err)
			return
		}
		status := http.StatusOK
		if _, made := data.(registered); made {
			status = http.StatusCreated
		}
		e.writeJSON(x, status, data)
	}
}

func (e Endpoints) refuseMethod(x web.Exchange, method, allowed string) {
	x.W.Header().Set("Allow", allowed)
	e.writeJSON(x, http.StatusMethodNotAllowed, refusal("invalid_request", "Send "+method+"."))
}

func refusal(code, text string) any {
	return map[string]string{"error": code, "error_description": text}
}

// writeError writes an error as programs expect it (RFC 6749 §5.2).
func (e Endpoints) writeError(x web.Exchange, err error) {
	if refused, ok := errors.AsType[*grants.Refusal](err); ok {
		status := http.StatusBadRequest
		if refused.Code == "invalid_client" {
			status = http.StatusUnauthorized
		}
		e.writeJSON(x, status, refusal(refused.Code, refused.Text))
		return
	}
	safe := x.Fail(e.Log, err)
	code := "temporarily_unavailable"
	if web.StatusOf(safe.Code) == http.StatusInternalServerError {
		code = "server_error"
	}
	e.writeJSON(x, web.StatusOf(safe.Code), refusal(code, safe.Message))
}

func (e Endpoints) writeJSON(x web.Exchange, status int, data any) {
	body, err := json.Marshal(data)
	if err != nil {
		e.Log.Error("oauth", "error", err.Error())
		status, body = http.StatusInternalServerError, []byte(`{"error":"server_error"}`)
	}
	x.Send(status, web.JSON, body)
}

// resourceMetadata describes /mcp (RFC 9728).
func (e Endpoints) resourceMetadata(*web.Exchange) (any, error) {
	return map[string]any{
		"resource": resource(e.SiteURL), "authorization_servers": []string{e.SiteURL},
		"scopes_supported": grants.Levels, "bearer_methods_supported": []string{"header"},
		"resource_name": "Headless content service",
	}, nil
}

// serverMetadata describes the endpoints (RFC 8414).
func (e Endpoints) serverMetadata(*web.Exchange) (any, error) {
	at, none := e.SiteURL+"/oauth/", []string{"none"}
	return map[string]any{
		"issuer": e.SiteURL, "authorization_endpoint": at + "authorize", "token_endpoint": at + "token",
		"registration_endpoint": at + "register", "revocation_endpoint": at + "revoke",
		"scopes_supported": grants.Levels, "response_types_supported": []string{"code"},
		"response_modes_supported":              []string{"query"},
		"grant_types_supported":                 grantTypes,
		"code_challenge_methods_supported":      []string{"S256"},
		"token_endpoint_auth_methods_supported": none, "revocation_endpoint_auth_methods_supported": none,
		"client_id_metadata_document_supported":          true,
		"authorization_response_iss_parameter_supported": true,
	}, nil
}

var grantTypes = []string{"authorization_code", "refresh_token"}

// registered is the answer to a registration (RFC 7591 §3.2.1).
type registered struct {
	ID        string   `json:"client_id"`
	IssuedAt  int64    `json:"client_id_issued_at"`
	Name      string   `json:"client_name"`
	Redirects []string `json:"redirect_uris"`
	Grants    []string `json:"grant_types"`
	Responses []string `json:"response_types"`
	Method    string   `json:"token_endpoint_auth_method"`
}

// client is the program that sends a request, which is not identified.
func client(x *web.Exchange) cms.Actor {
	return cms.Actor{Source: cms.SourceMCP, Address: x.AddressText(), RequestID: x.RequestID}
}

func (e Endpoints) register(x *web.Exchange) (any, error) {
	raw, err := io.ReadAll(x.R.Body)
	if err != nil {
		return nil, &grants.Refusal{Code: "invalid_client_metadata", Text: "The metadata is larger than 64 KB."}
	}
	p, err := e.Grants.Register(x.Context(), access.Client{Actor: client(x)}.Network(), raw)
	return registered{p.ID, p.CreatedAt.Unix(), p.Name, p.Redirects, grantTypes, []string{"code"}, "none"}, err
}

// readForm reads the form of a request. Each parameter comes once (RFC 6749 §3.2).
func readForm(r *http.Request) (url.Values, error) {
	bad := &grants.Refusal{Code: "invalid_request",
		Text: "Send a form (application/x-www-form-urlencoded) that has each parameter once."}
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	if !strings.EqualFold(strings.TrimSpace(kind), "application/x-www-form-urlencoded") || r.ParseForm() != nil ||
		repeats(r.PostForm) {
		return nil, bad
	}
	return r.PostForm, nil
}

func repeats(q url.Values) bool {
	for name, values := range q {
		if len(values) > 1 && name != "resource" {
			return true
		}
	}
	return false
}

func (e Endpoints) token(x *web.Exchange) (any, error) {
	f, err := readForm(x.R)
	if err != nil {
		return nil, err
	}
	if err := checkResource(f, e.SiteURL); err != nil {
		return nil, err
	}
	id := f.Get("client_id")
	need := map[string][]string{"authorization_code": {"client_id", "code", "code_verifier"},
		"refresh_token": {"client_id", "refresh_token"}}[f.Get("grant_type")]
	for _, name := range need {
		if f.Get(name) == "" {
			return nil, &grants.Refusal{Code: "invalid_request", Text: "The parameter " + name + " is required."}
		}
	}
	switch f.Get("grant_type") {
	case "authorization_code":
		return e.Grants.Redeem(x.Context(), client(x), id, f.Get("code"), f.Get("redirect_uri"), f.Get("code_verifier"))
	case "refresh_token":
		return e.Grants.Renew(x.Context(), client(x), id, f.Get("refresh_token"))
	case "":
		return nil, &grants.Refusal{Code: "invalid_request", Text: "The parameter grant_type is required."}
	}
	return nil, &grants.Refusal{Code: "unsupported_grant_type",
		Text: "grant_type must be authorization_code or refresh_token."}
}

// checkResource refuses tokens for other resources than /mcp.
func checkResource(f url.Values, siteURL string) error {
	for _, asked := range f["resource"] {
		if strings.TrimSuffix(asked, "/") != resource(siteURL) {
			return &grants.Refusal{Code: "invalid_target", Text: "The only resource is " + resource(siteURL) + "."}
		}
	}
	return nil
}

func (e Endpoints) revoke(x *web.Exchange) (any, error) {
	f, err := readForm(x.R)
	if err == nil && f.Get("token") == "" {
		err = &grants.Refusal{Code: "invalid_request", Text: "The parameter token is required."}
	}
	if err != nil {
		return nil, err
	}
	return struct{}{}, e.Grants.Revoke(x.Context(), client(x), f.Get("client_id"), f.Get("token"))
}

// authorize sends the browser to the page of the consent, where the user signs in first. What is wrong
// with the request of a registered program is said at once; metadata documents are read only for
// signed-in users.
func (e Endpoints) authorize(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	if x := web.NewExchange(w, r); !x.IsRead() {
		e.refuseMethod(x, http.MethodGet, http.MethodGet)
		return
	}
	to := ui.Base + "/grants/authorize?" + r.URL.RawQuery
	if q := r.URL.Query(); !grants.IsAddress(q.Get("client_id")) {
		if _, err := readRequest(r.Context(), e.Grants, e.SiteURL, q); err != nil {
			if back, ok := errors.AsType[*sentBack](err); ok {
				to = back.to
			}
		}
	}
	h.Set("Location", to)
	w.WriteHeader(http.StatusFound)
}
