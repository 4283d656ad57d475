package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

var mcpScenarios = []scenario{
	{name: "mcp", run: agents},
}

// rpc sends one message to /mcp and returns the answer.
func (s *suite) rpc(t *testing.T, header map[string]string, method string, params obj) (int,
	http.Header, any) {
	t.Helper()
	body, err := json.Marshal(obj{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	return s.postMCP(t, http.MethodPost, header, body)
}

func (s *suite) postMCP(t *testing.T, method string, header map[string]string, body []byte) (int,
	http.Header, any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.target.BaseURL+"/mcp",
		bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for k, v := range header {
		req.Header.Set(k, v)
	}
	resp, err := s.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	_ = json.Unmarshal(raw, &v) // refusals are plain text
	return resp.StatusCode, resp.Header, v
}

// tool calls a tool. ok is false if it failed; text is its result.
func (s *suite) tool(t *testing.T, header map[string]string, name string, args obj) (text string, ok bool) {
	t.Helper()
	status, _, v := s.rpc(t, header, "tools/call", obj{"name": name, "arguments": args})
	if status != 200 {
		t.Fatalf("%s: %d %v", name, status, v)
	}
	text, _ = dig(v, "result.content.0.text").(string)
	return text, dig(v, "error") == nil && dig(v, "result.isError") != true
}

func identity(c *client) map[string]string {
	return map[string]string{"X-API-Key": c.header["X-API-Key"], "X-API-Secret": c.header["X-API-Secret"]}
}

func agents(t *testing.T, s *suite) {
	model := s.model(t, nil)
	key := s.key(t, obj{"scopes": list{"read", "write", "publish"}, "role": "admin"})
	id := key.publish(t, model, "Known "+word(), obj{"body": "text"})
	slug := key.step(t, step{call: "GET /" + model + "/" + id, status: 200}).str(t, "data.slug")
	known := identity(key)
	t.Run("refused", func(t *testing.T) {
		for name, header := range map[string]map[string]string{"nobody": nil,
			"wrong": {"Authorization": "Bearer pk_x:sk_x"}} {
			if status, h, _ := s.rpc(t, header, "tools/list", obj{}); status != 401 ||
				!strings.HasPrefix(h.Get("WWW-Authenticate"), `Bearer resource_metadata="`+s.target.BaseURL+`/.well-known/`) {
				t.Errorf("%s: %d %v", name, status, h)
			}
		}
		if status, h, _ := s.postMCP(t, http.MethodGet, known, nil); status != 405 ||
			h.Get("Allow") != "POST" {
			t.Errorf("GET: %d, Allow %q", status, h.Get("Allow"))
		}
	})
	t.Run("faults", func(t *testing.T) { agentsFaults(t, s, known) })
	t.Run("initialize", func(t *testing.T) {
		status, h, v := s.rpc(t, known, "initialize",
			obj{"protocolVersion": "2025-06-18", "capabilities": obj{},
				"clientInfo": obj{"name": "test", "version": "1"}})
		if status != 200 || dig(v, "result.serverInfo.name") == nil || h.Get("Mcp-Session-Id") != "" {
			t.Errorf("%d %v", status, v)
		}
	})
	t.Run("tools", func(t *testing.T) {
		reads := []string{"get_entry", "list_entries", "list_media", "list_models", "search"}
		for name, row := range map[string]struct {
			header map[string]string
			want   []string
		}{
			"all": {known,
				append([]string{"get_health", "preview_link", "publish", "upload_from_url", "write_draft"}, reads...)},
			"reads": {identity(s.key(t, obj{"scopes": list{"read"}})), reads},
			"bearer": {map[string]string{"Authorization": "Bearer " + key.header["X-API-Key"] +
				":" + key.header["X-API-Secret"]},
				append([]string{"get_health", "preview_link", "publish", "upload_from_url", "write_draft"}, reads...)},
			"writes": {identity(s.key(t, obj{"scopes": list{"read", "write"}})),
				append([]string{"upload_from_url", "write_draft"}, reads...)},
			"publish": {identity(s.key(t, obj{"scopes": list{"publish"}})),
				append([]string{"publish"}, reads...)},
		} {
			_, _, v := s.rpc(t, row.header, "tools/list", obj{})
			if scope := dig(v, "result.cacheScope"); scope != nil && scope != "private" {
				t.Errorf("%s: the list may be kept as %v", name, scope)
			}
			got := column(dig(v, "result.tools"), "name")
			slices.Sort(got)
			slices.Sort(row.want)
			if !slices.Equal(got, row.want) {
				t.Errorf("%s: %v, want %v", name, got, row.want)
			}
		}
	})
	for name, row := range map[string]struct {
		tool string
		args obj
		want string
		ok   bool
	}{
		"health":     {"get_health", obj{"model": model}, `"counts"`, true},
		"bad health": {"get_health", obj{"kind": "none"}, "BAD_REQUEST", false},
		"media":      {"list_media", obj{"mime": "image/*"}, `"total"`, true},
		"models":     {"list_models", obj{}, `"slug":"` + model + `"`, true},
		"entries":    {"list_entries", obj{"model": model}, id, true},
		"filter": {"list_entries",
			obj{"model": model, "filter": obj{"status": "archived"}}, `"total":0`, true},
		"filter by several": {"list_entries", obj{"model": model,
			"filter": obj{"slug": obj{"in": list{slug, "none"}}}}, `"total":1`, true},
		"filter by nothing": {"list_entries", obj{"model": model,
			"filter": obj{"data.body": nil}}, `"total":0`, true},
		"a filter that is none": {"list_entries", obj{"model": model, "filter": "status"}, "object", false},
		"a page that is none":   {"list_entries", obj{"model": model, "page": list{1}}, "integer", false},
		"a wrong locale":        {"search", obj{"q": "text", "locale": "xx"}, "BAD_REQUEST", false},
		"by id":                 {"get_entry", obj{"model": model, "id": id}, `"body":"text"`, true},
		"no entry":              {"get_entry", obj{"model": model, "slug": "none"}, "ENTRY_NOT_FOUND", false},
		"no id":                 {"get_entry", obj{"model": model}, "required", false},
		"no model":              {"list_entries", obj{}, "model", false},
		"unknown":               {"list_entries", obj{"model": model, "modell": "x"}, "modell", false},
		"a private place": {"upload_from_url", obj{"url": "http://10.0.0.1/x.png", "name": "x.png"},
			"not read", false},
		"this machine": {"upload_from_url", obj{"url": s.target.BaseURL + "/", "name": "x.txt"},
			"not read", false},
		"another port of it": {"upload_from_url", obj{"url": "http://127.0.0.1:9/x.txt", "name": "x.txt"},
			"must start with https://", false},
		"loopback by name": {"upload_from_url", obj{"url": "https://localhost/x.txt", "name": "x.txt"},
			"not allowed", false},
	} {
		t.Run(name, func(t *testing.T) {
			text, ok := s.tool(t, known, row.tool, row.args)
			if ok != row.ok || !strings.Contains(text, row.want) {
				t.Errorf("%v: %s", ok, text)
			}
		})
	}
	t.Run("draft and publish", func(t *testing.T) {
		text, ok := s.tool(t, known, "write_draft",
			obj{"model": model, "id": id, "data": obj{"body": "drafted"}})
		if !ok {
			t.Fatal(text)
		}
		key.step(t, step{call: "GET /" + model + "/" + id, status: 200, want: obj{"data.data.body": "text"}})
		publisher := identity(s.key(t, obj{"scopes": list{"publish"}}))
		if text, ok = s.tool(t, publisher, "publish", obj{"model": model, "id": id}); !ok {
			t.Fatal(text)
		}
		key.step(t, step{call: "GET /" + model + "/" + id, status: 200,
			want: obj{"data.data.body": "drafted"}})
		if text, ok = s.tool(t, known, "write_draft", obj{"model": model, "title": "New one", "data": obj{}}); !ok ||
			!strings.Contains(text, `"status":"draft"`) {
			t.Errorf("a new entry: %s", text)
		}
		if text, ok = s.tool(t, identity(s.key(t, obj{"scopes": list{"read", "write"}})), "publish", obj{"model": model, "id": id}); ok {
			t.Errorf("published without the scope: %s", text)
		}
	})
	t.Run("way on", func(t *testing.T) { agentsWayOn(t, s, model, known) })
}

// agentsFaults sends what is no request of the protocol: the answers are errors of JSON-RPC.
func agentsFaults(t *testing.T, s *suite, known map[string]string) {
	for body, want := range map[string]struct {
		status, code int
		id           any
	}{
		"{":                               {400, -32700, nil},
		"":                                {400, -32700, nil},
		`"text"`:                          {400, -32600, nil},
		`[]`:                              {400, -32600, nil},
		`{"id": 1, "method": "ping"}`:     {400, -32600, nil},
		`{"jsonrpc": "2.0", "method": 1}`: {400, -32600, nil},
		`{"jsonrpc": "2.0", "id": null, "method": "ping"}`:                                                     {400, -32600, nil},
		`{"jsonrpc": "2.0", "id": "a", "method": "none/such"}`:                                                 {200, -32601, "a"},
		`{"jsonrpc": "2.0", "id": 7, "method": "tools/call"}`:                                                  {200, -32602, 7.0},
		`{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "none"}}`:                      {200, -32602, 7.0},
		`{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "` + strings.Repeat("x", 2<<20) + `"}}`: {413, -32600, nil},
	} {
		status, h, v := s.postMCP(t, http.MethodPost, known, []byte(body))
		if status != want.status || dig(v, "error.code") != float64(want.code) || dig(v, "id") != want.id ||
			dig(v, "jsonrpc") != "2.0" || h.Get("Content-Type") != "application/json" {
			t.Errorf("%.80s: %d %v %v", body, status, h.Get("Content-Type"), v)
		}
	}
	if status, _, v := s.postMCP(t, http.MethodPost, known, []byte(`{"jsonrpc": "2.0", "method": "notifications/none"}`)); status != 202 {
		t.Errorf("an unknown notification: %d %v", status, v)
	}
	plain := map[string]string{"Content-Type": "text/plain"}
	maps.Copy(plain, known)
	if status, _, v := s.postMCP(t, http.MethodPost, plain, []byte(`{"jsonrpc": "2.0", "id": 1, "method": "ping"}`)); status != 415 ||
		dig(v, "error.code") != -32600.0 {
		t.Errorf("plain text: %d %v", status, v)
	}
}

// agentsWayOn looks for what an agent needs to go on: in refusals, and in answers that it might misread.
func agentsWayOn(t *testing.T, s *suite, model string, known map[string]string) {
	ask := func(header map[string]string, name string, args obj, ok bool, wants ...string) (answer obj) {
		t.Helper()
		text, got := s.tool(t, header, name, args)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in %s", name, want, text)
			}
		}
		if got != ok {
			t.Errorf("%s: %v %s", name, got, text)
		}
		_ = json.Unmarshal([]byte(text), &answer) // refusals can be texts
		return answer
	}
	writer := identity(s.key(t, obj{"scopes": list{"read", "write"}}))
	ask(writer, "publish", obj{"model": model, "id": "x"}, false, "the scope publish", "cms keys create")
	ask(writer, "preview_link", obj{"model": model, "id": "x"}, false, "the role admin", "cms keys create")
	ask(writer, "get_health", obj{}, false, "the role admin")
	ask(writer, "comment", obj{"model": model, "id": "x", "text": "x"}, false, "a user", s.target.BaseURL+"/mcp")
	ask(identity(s.key(t, obj{"scopes": list{"read"}})), "write_draft", obj{"model": model}, false, "the scope write")
	_, _, v := s.rpc(t, writer, "initialize", obj{"protocolVersion": "2025-06-18", "capabilities": obj{},
		"clientInfo": obj{"name": "test", "version": "1"}})
	if text, _ := dig(v, "result.instructions").(string); !strings.Contains(text, "publish is not listed: it needs the scope publish") {
		t.Errorf("the instructions are %q", text)
	}

	made := ask(writer, "write_draft", obj{"model": model, "title": "Seen by few", "data": obj{}}, true, "note", "role admin")
	id, _ := made["id"].(string)
	changed := ask(writer, "write_draft", obj{"model": model, "id": id, "seo": obj{"title": "Found"}}, true, "note", "role admin")
	if id == "" || changed["id"] != id || made["model"] != model || changed["model"] != model {
		t.Errorf("made %v, changed %v", made, changed)
	}
	ask(writer, "get_entry", obj{"model": model, "id": id}, false, "ENTRY_NOT_FOUND", "drafts need the role admin")
	drafted := ask(known, "write_draft", obj{"model": model, "id": id, "title": "Seen by all"}, true, `"title":"Seen by all"`)
	if drafted["note"] != nil || drafted["meta"] == nil || dig(drafted, "data.seo.title") != "Found" {
		t.Errorf("with the role admin: %v", drafted)
	}
	slug, _ := made["slug"].(string)
	ask(known, "get_entry", obj{"model": model, "slug": slug, "version": "draft"}, true, "Seen by all")
	ask(known, "list_entries", obj{"model": model, "version": "draft", "filter": obj{"id": id, "status": "any"}}, true, "Seen by all")
	soon := ask(known, "preview_link", obj{"model": model, "slug": slug, "expires_in": 60}, true, `"url":null`, "preview_url")
	late := ask(known, "preview_link", obj{"model": model, "id": id}, true)
	if end, _ := soon["expires_at"].(string); end == "" || end >= late["expires_at"].(string) {
		t.Errorf("links end at %v and %v", soon, late)
	}
	s.admin(t).ok(t, 200, "PUT /models/"+model, obj{"url": "/" + model + "/{slug}", "preview_url": "http://localhost:4321/{slug}?preview={token}"})
	ask(known, "list_models", obj{}, true, `"url":"/`+model+`/{slug}"`, `"preview_url":"http://localhost:4321/`)
	if text, _ := s.tool(t, writer, "list_models", obj{}); strings.Contains(text, "localhost:4321") || !strings.Contains(text, "/"+model+"/{slug}") {
		t.Errorf("models for a key without the role: %s", text)
	}
	if link := ask(known, "preview_link", obj{"model": model, "slug": slug}, true, "http://localhost:4321/"); link["note"] != nil {
		t.Errorf("a link with an address: %v", link)
	}
	ask(known, "publish", obj{"model": model, "slug": slug}, true, `"status":"published"`)
	ask(known, "publish", obj{"model": model}, false, "required")
	ask(known, "upload_from_url", obj{"url": "http://127.0.0.1:9/x.txt", "name": "x.txt"}, false, "cms files put", "/api/v1/upload")
	limited := identity(s.key(t, obj{"models": list{model}, "scopes": list{"read", "write"}}))
	ask(limited, "upload_from_url", obj{"url": "http://127.0.0.1:9/x.txt", "name": "x.txt"}, false, `"code":"NOT_FOUND"`)
}
