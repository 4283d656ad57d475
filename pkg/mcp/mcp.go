// Package mcp serves the Model Context Protocol to agents: POST /mcp over stateless HTTP
// (extensions §10). Its tools are requests of the API with the agent's own key, so that an agent
// sees and does what its key may, under the same limits and in the same log.
package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
)

// Path is where the protocol is served, at the root of the origin.
const Path = "/mcp"

// maxRequest bounds the body of a request, in bytes.
const maxRequest = 2 << 20

// Handler serves the protocol.
type Handler struct {
	API *pipeline.API
	// Fetch reads a file from an address that an agent names; it refuses addresses that are not
	// public.
	Fetch func(ctx context.Context, address string, limit int64) ([]byte, error)
	// MaxFile is the size of a file in bytes.
	MaxFile int64
}

// ServeHTTP answers one request: 405 for other methods than POST, 401 in plain text without a valid
// key.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "Send POST.", http.StatusMethodNotAllowed)
		return
	}
	r = r.Clone(r.Context())
	if public, secret, ok := bearer(r); ok {
		r.Header.Set("X-API-Key", public)
		r.Header.Set("X-API-Secret", secret)
	}
	h.API.Admit(w, r, func(c *pipeline.Call) {
		r.Header.Set("Accept",
			"application/json, text/event-stream") // answers are JSON, whatever the client prefers
		r.Header.Del("Mcp-Session-Id")
		server := h.server(c, r)
		sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server },
			&sdk.StreamableHTTPOptions{
				Stateless: true, JSONResponse: true, DisableLocalhostProtection: true,
				MaxRequestBodyBytes: maxRequest,
			}).ServeHTTP(w, r)
	})
}

// bearer reads "Authorization: Bearer <key>:<secret>".
func bearer(r *http.Request) (public, secret string, ok bool) {
	kind, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(kind, "Bearer") {
		return "", "", false
	}
	return strings.Cut(strings.TrimSpace(token), ":")
}

// server has the tools that the key's scopes allow.
func (h *Handler) server(c *pipeline.Call, r *http.Request) *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "headless", Title: "Headless content service",
		Version: "1.0.0"}, &sdk.ServerOptions{SetCacheable: private})
	s := &session{h: h, call: c, request: r}
	for _, t := range s.tools() {
		if !t.allowed {
			continue
		}
		server.AddTool(&sdk.Tool{Name: t.name, Description: t.description, InputSchema: t.input},
			func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				args := map[string]any{}
				if raw := req.Params.Arguments; len(raw) > 0 && string(raw) != "null" {
					var err error
					if args, err = cms.DecodeObject(raw); err != nil {
						return failed(err), nil
					}
				}
				if err := checkArguments(t.input, args); err != nil {
					return failed(err), nil
				}
				data, err := t.run(ctx, args)
				if err != nil {
					return failed(err), nil
				}
				return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(data)}}}, nil
			})
	}
	return server
}

// private keeps what one key was answered from others: the tools differ by key.
func private(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.CacheScope = "private" }

// failed tells the agent what went wrong, so that it can mend the call.
func failed(err error) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: err.Error()}}}
}

// session is one request of an agent.
type session struct {
	h       *Handler
	call    *pipeline.Call
	request *http.Request
}

// do makes a request of the API with the agent's key and gives its data, with meta where that says
// anything.
func (s *session) do(ctx context.Context, method, path, contentType string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, pipeline.Base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
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

// sendJSON is do with a JSON body.
func (s *session) sendJSON(ctx context.Context, method, path string, body any) ([]byte, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return s.do(ctx, method, path, "application/json", raw)
}

// refusal is the error of the API, as JSON.
type refusal struct{ text string }

func (e *refusal) Error() string { return e.text }
