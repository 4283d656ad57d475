// Package mcp serves the Model Context Protocol to agents: POST /mcp over stateless HTTP
// (extensions §10). Its tools are API requests with the agent's own key, or in the name of the user
// who has allowed it (extensions §17). An agent can therefore do only what its key or its
// user may do, with the same limits, and its requests are in the same log.
package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"headless/pkg/access/grants"
	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/comments"
	"headless/pkg/web"
)

// Path is where the protocol is served, at the root of the origin.
const Path = "/mcp"

// maxRequest is the maximum size of the body of a request in bytes.
const maxRequest = 2 << 20

// maxMessages is how many messages a batch may have. Only calls of tools count towards the limit of a key.
const maxMessages = 50

// Handler serves the protocol.
type Handler struct {
	API    *pipeline.API
	Grants *grants.Grants
	// Comments writes the comments of users.
	Comments *comments.Comments
	// SiteURL is the root URL of the service.
	SiteURL string
	// Fetch reads a file from a URL that an agent names. It refuses hosts whose IP addresses are
	// not public.
	Fetch func(ctx context.Context, address string, limit int64) ([]byte, error)
	// MaxFile is the maximum size of a file in bytes.
	MaxFile int64
}

// ServeHTTP answers one request. The status is 405 for methods other than POST, and 401 (in plain
// text) without a valid key.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "Send POST.", http.StatusMethodNotAllowed)
		return
	}
	challenge := `Bearer resource_metadata="` + h.SiteURL + `/.well-known/oauth-protected-resource` + Path + `"`
	r = r.Clone(r.Context())
	if public, secret, ok := strings.Cut(bearer(r), ":"); ok {
		r.Header.Set("X-API-Key", public)
		r.Header.Set("X-API-Secret", secret)
	} else if public != "" {
		challenge += `, error="invalid_token"`
		if r = h.identify(w, r, public); r == nil {
			return
		}
	}
	h.API.Admit(w, r, challenge, func(c *pipeline.Call) {
		r.Header.Set("Accept", "application/json, text/event-stream") // responses are always JSON
		r.Header.Del("Mcp-Session-Id")
		faults := readFaults(w, r)
		switch {
		case faults.unclear():
			http.Error(faults, "malformed payload", http.StatusBadRequest)
		case faults.messages > maxMessages:
			http.Error(faults, fmt.Sprintf("A batch has at most %d messages.", maxMessages), http.StatusBadRequest)
		default:
			server := h.server(c, r)
			sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{
				Stateless: true, JSONResponse: true, DisableLocalhostProtection: true,
				MaxRequestBodyBytes: maxRequest,
			}).ServeHTTP(faults, r)
		}
		faults.send()
	})
}

// bearer reads "Authorization: Bearer <token>"; "" if there is none. The token is that of a grant, or
// "<key>:<secret>".
func bearer(r *http.Request) string {
	kind, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(kind, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// server returns a server with the tools that the caller may use. A call of another tool says what the caller lacks.
func (h *Handler) server(c *pipeline.Call, r *http.Request) *sdk.Server {
	s := &session{h: h, call: c, request: r, visitor: pipeline.VisitorOf(r.Context())}
	tools := s.tools()
	server := sdk.NewServer(&sdk.Implementation{Name: "headless", Title: "Headless content service",
		Version: "1.0.0"}, &sdk.ServerOptions{SetCacheable: private, Instructions: s.instructions(tools)})
	server.AddReceivingMiddleware(s.refuseTools(tools))
	for _, t := range tools {
		if t.lacks != "" {
			continue
		}
		server.AddTool(&sdk.Tool{Name: t.name, Description: t.description, InputSchema: t.input},
			func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				data, err := s.callTool(ctx, t, req.Params.Arguments)
				if err != nil {
					return errorResult(err), nil
				}
				return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(data)}}}, nil
			})
	}
	return server
}

// callTool runs a tool after the other calls of its batch. Error: the arguments are wrong, the tool failed, or the
// results before have web.MaxAnswer bytes.
func (s *session) callTool(ctx context.Context, t tool, raw json.RawMessage) ([]byte, error) {
	args := map[string]any{}
	if len(raw) > 0 && string(raw) != "null" {
		var err error
		if args, err = cms.DecodeObject(raw); err != nil {
			return nil, err
		}
	}
	if err := checkArguments(t.input, args); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.answered >= web.MaxAnswer {
		return nil, web.ErrAnswerTooLarge
	}
	data, err := t.run(ctx, args)
	s.answered += len(data)
	return data, err
}

// instructions tell an agent how to work here, and which tools it does not see.
func (s *session) instructions(tools []tool) string {
	text := "Read list_models first. write_draft changes nothing that visitors see; publish does."
	for _, t := range tools {
		if t.lacks != "" {
			text += fmt.Sprintf(" %s is not listed: it needs %s.", t.name, t.lacks)
		}
	}
	return text
}

// refuseTools answers calls of tools that the caller may not use.
func (s *session) refuseTools(tools []tool) sdk.Middleware {
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			call, ok := req.(*sdk.CallToolRequest)
			if !ok {
				return next(ctx, method, req)
			}
			i := slices.IndexFunc(tools, func(t tool) bool { return t.name == call.Params.Name })
			if i >= 0 && tools[i].lacks != "" {
				return errorResult(fmt.Errorf("%s needs %s. %s", tools[i].name, tools[i].lacks, s.wayOut(tools[i].lacks))), nil
			}
			return next(ctx, method, req)
		}
	}
}

// private forbids shared caches, since the tools differ by key.
func private(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" }

// errorResult returns an error to the agent, so that it can correct the call.
func errorResult(err error) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: err.Error()}}}
}

// session is one request of an agent.
type session struct {
	h       *Handler
	call    *pipeline.Call
	request *http.Request
	visitor *pipeline.Visitor // nil for an agent with a key

	mu       sync.Mutex // held while a tool runs
	answered int        // bytes of the results so far
}

// do sends a request to the API with the agent's key and returns the data of the response. If meta
// is not empty, it returns both data and meta.
func (s *session) do(ctx context.Context, method, path, contentType string, body []byte) ([]byte, error) {
	var bound *cms.Permissions
	if s.lacksScope(cms.ScopePublish) != "" {
		bound = grants.LevelDraft.Permissions() // the scope write of a key would include publishing
	}
	ctx = pipeline.ByAgent(ctx, bound)
	req, err := http.NewRequestWithContext(ctx, method, pipeline.Base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if s.visitor != nil {
		req = req.WithContext(pipeline.As(req.Context(), s.visitor))
	}
	for _, name := range []string{"X-API-Key", "X-API-Secret", "Origin"} {
		if v := s.request.Header.Get(name); v != "" {
			req.Header.Set(name, v)
		}
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	req.RemoteAddr = s.request.RemoteAddr
	w := httptest.NewRecorder()
	s.h.API.ServeHTTP(w, req)
	if w.Code == http.StatusNoContent {
		return []byte("{}"), nil
	}
	var answer struct {
		Data  json.RawMessage `json:"data"`
		Meta  json.RawMessage `json:"meta"`
		Error json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		return nil, err
	}
	if w.Code >= http.StatusBadRequest {
		return nil, &refusal{string(answer.Error)}
	}
	if string(answer.Meta) == "{}" || len(answer.Meta) == 0 {
		return answer.Data, nil
	}
	return json.Marshal(struct {
		Data json.RawMessage `json:"data"`
		Meta json.RawMessage `json:"meta"`
	}{answer.Data, answer.Meta})
}

// sendJSON calls do with a JSON body.
func (s *session) sendJSON(ctx context.Context, method, path string, body any) ([]byte, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return s.do(ctx, method, path, "application/json", raw)
}

// refusal is an error of the API as JSON.
type refusal struct{ text string }

func (e *refusal) Error() string { return e.text }

// code returns the code of the error.
func (e *refusal) code() cms.Code {
	var of struct{ Code cms.Code }
	_ = json.Unmarshal([]byte(e.text), &of) // errors of the API are JSON
	return of.Code
}
