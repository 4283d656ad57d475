package kit

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"

	"headless/pkg/must"
)

// CallMCP sends one message to /mcp and returns the answer.
func (s *Suite) CallMCP(t *testing.T, header map[string]string, method string, params Obj) (int, http.Header, any) {
	t.Helper()
	body, err := json.Marshal(Obj{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	must.Do(t, err)
	return s.PostMCP(t, http.MethodPost, header, body)
}

// PostMCP sends a body to /mcp with any method. It returns the status, the header and the decoded answer.
func (s *Suite) PostMCP(t *testing.T, method string, header map[string]string, body []byte) (int, http.Header, any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.Target.BaseURL+"/mcp", bytes.NewReader(body))
	must.Do(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for k, v := range header {
		req.Header.Set(k, v)
	}
	a := Exchange(t, s.HTTP, req)
	_ = json.Unmarshal(a.Raw, &a.JSON) // refusals are plain text
	return a.Status, a.Header, a.JSON
}

// CallTool calls a tool. ok is false if it failed; text is its result.
func (s *Suite) CallTool(t *testing.T, header map[string]string, name string, args Obj) (text string, ok bool) {
	t.Helper()
	status, _, v := s.CallMCP(t, header, "tools/call", Obj{"name": name, "arguments": args})
	if status != 200 {
		t.Fatalf("%s: %d %v", name, status, v)
	}
	text, _ = Dig(v, "result.content.0.text").(string)
	return text, Dig(v, "error") == nil && Dig(v, "result.isError") != true
}

// Credentials are the headers of a client with a key.
func Credentials(c *Client) map[string]string {
	return map[string]string{"X-API-Key": c.Header["X-API-Key"], "X-API-Secret": c.Header["X-API-Secret"]}
}
