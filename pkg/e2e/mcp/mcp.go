package mcp

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// Scenarios are those of the tools of agents.
var Scenarios = []kit.Scenario{
	{Name: "mcp", Run: agents},
}

func agents(t *testing.T, s *kit.Suite) {
	model := s.Model(t, nil)
	key := s.Key(t, kit.Obj{"scopes": kit.List{"read", "write", "publish"}, "role": "admin"})
	id := key.Publish(t, model, "Known "+kit.Word(), kit.Obj{"body": "text"})
	slug := key.Step(t, kit.Step{Call: "GET /" + model + "/" + id}).Str(t, "data.slug")
	known := kit.Credentials(key)
	t.Run("refused", func(t *testing.T) {
		for name, header := range map[string]map[string]string{"nobody": nil,
			"wrong": {"Authorization": "Bearer pk_x:sk_x"}} {
			if status, h, _ := s.CallMCP(t, header, "tools/list", kit.Obj{}); status != 401 ||
				!strings.HasPrefix(h.Get("WWW-Authenticate"), `Bearer resource_metadata="`+s.Target.BaseURL+`/.well-known/`) {
				t.Errorf("%s: %d %v", name, status, h)
			}
		}
		if status, h, _ := s.PostMCP(t, http.MethodGet, known, nil); status != 405 ||
			h.Get("Allow") != "POST" {
			t.Errorf("GET: %d, Allow %q", status, h.Get("Allow"))
		}
	})
	t.Run("faults", func(t *testing.T) { agentsFaults(t, s, known) })
	t.Run("compressed", func(t *testing.T) {
		gzip := maps.Clone(known)
		gzip["Accept-Encoding"] = "gzip"
		_, h, _ := s.CallMCP(t, gzip, "tools/list", kit.Obj{})
		kit.Same(t, "Content-Encoding", h.Get("Content-Encoding"), "gzip")
		if vary := strings.Join(h.Values("Vary"), ","); !strings.Contains(vary, "Accept-Encoding") {
			t.Errorf("Vary %q", vary)
		}
	})
	t.Run("initialize", func(t *testing.T) {
		status, h, v := s.CallMCP(t, known, "initialize",
			kit.Obj{"protocolVersion": "2025-06-18", "capabilities": kit.Obj{},
				"clientInfo": kit.Obj{"name": "test", "version": "1"}})
		if status != 200 || kit.Dig(v, "result.serverInfo.name") == nil || h.Get("Mcp-Session-Id") != "" {
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
			"reads": {kit.Credentials(s.Key(t, kit.Obj{"scopes": kit.List{"read"}})), reads},
			"bearer": {map[string]string{"Authorization": "Bearer " + key.Header["X-API-Key"] +
				":" + key.Header["X-API-Secret"]},
				append([]string{"get_health", "preview_link", "publish", "upload_from_url", "write_draft"}, reads...)},
			"writes": {kit.Credentials(s.Key(t, kit.Obj{"scopes": kit.List{"read", "write"}})),
				append([]string{"upload_from_url", "write_draft"}, reads...)},
			"publish": {kit.Credentials(s.Key(t, kit.Obj{"scopes": kit.List{"publish"}})),
				append([]string{"publish"}, reads...)},
		} {
			_, _, v := s.CallMCP(t, row.header, "tools/list", kit.Obj{})
			if scope := kit.Dig(v, "result.cacheScope"); scope != nil && scope != "private" {
				t.Errorf("%s: the list may be kept as %v", name, scope)
			}
			got := kit.Column(kit.Dig(v, "result.tools"), "name")
			slices.Sort(got)
			slices.Sort(row.want)
			kit.Same(t, name, got, row.want)
		}
	})
	for name, row := range map[string]struct {
		tool string
		args kit.Obj
		want string
		ok   bool
	}{
		"health":     {"get_health", kit.Obj{"model": model}, `"counts"`, true},
		"bad health": {"get_health", kit.Obj{"kind": "none"}, "BAD_REQUEST", false},
		"media":      {"list_media", kit.Obj{"mime": "image/*"}, `"total"`, true},
		"models":     {"list_models", kit.Obj{}, `"slug":"` + model + `"`, true},
		"entries":    {"list_entries", kit.Obj{"model": model}, id, true},
		"filter": {"list_entries",
			kit.Obj{"model": model, "filter": kit.Obj{"status": "archived"}}, `"total":0`, true},
		"filter by several": {"list_entries", kit.Obj{"model": model,
			"filter": kit.Obj{"slug": kit.Obj{"in": kit.List{slug, "none"}}}}, `"total":1`, true},
		"filter by nothing": {"list_entries", kit.Obj{"model": model,
			"filter": kit.Obj{"data.body": nil}}, `"total":0`, true},
		"a filter that is none": {"list_entries", kit.Obj{"model": model, "filter": "status"}, "object", false},
		"a page that is none":   {"list_entries", kit.Obj{"model": model, "page": kit.List{1}}, "integer", false},
		"half a page":           {"list_entries", kit.Obj{"model": model, "page": 1.5}, "integer", false},
		"a whole page":          {"list_entries", kit.Obj{"model": model, "page": json.Number("1.0")}, id, true},
		"a wrong locale":        {"search", kit.Obj{"q": "text", "locale": "xx"}, "BAD_REQUEST", false},
		"by id":                 {"get_entry", kit.Obj{"model": model, "id": id}, `"body":"text"`, true},
		"no entry":              {"get_entry", kit.Obj{"model": model, "slug": "none"}, "ENTRY_NOT_FOUND", false},
		"no id":                 {"get_entry", kit.Obj{"model": model}, "required", false},
		"no model":              {"list_entries", kit.Obj{}, "model", false},
		"unknown":               {"list_entries", kit.Obj{"model": model, "modell": "x"}, "modell", false},
		"a private place": {"upload_from_url", kit.Obj{"url": "http://10.0.0.1/x.png", "name": "x.png"},
			"not read", false},
		"this machine": {"upload_from_url", kit.Obj{"url": s.Target.BaseURL + "/", "name": "x.txt"},
			"not read", false},
		"another port of it": {"upload_from_url", kit.Obj{"url": "http://127.0.0.1:9/x.txt", "name": "x.txt"},
			"must start with https://", false},
		"loopback by name": {"upload_from_url", kit.Obj{"url": "https://localhost/x.txt", "name": "x.txt"},
			"not allowed", false},
	} {
		t.Run(name, func(t *testing.T) {
			text, ok := s.CallTool(t, known, row.tool, row.args)
			if ok != row.ok || !strings.Contains(text, row.want) {
				t.Errorf("%v: %s", ok, text)
			}
		})
	}
	t.Run("draft and publish", func(t *testing.T) {
		text, ok := s.CallTool(t, known, "write_draft",
			kit.Obj{"model": model, "id": id, "data": kit.Obj{"body": "drafted"}})
		if !ok {
			t.Fatal(text)
		}
		key.Step(t, kit.Step{Call: "GET /" + model + "/" + id, Want: kit.Obj{"data.data.body": "text"}})
		publisher := kit.Credentials(s.Key(t, kit.Obj{"scopes": kit.List{"publish"}}))
		if text, ok = s.CallTool(t, publisher, "publish", kit.Obj{"model": model, "id": id}); !ok {
			t.Fatal(text)
		}
		key.Step(t, kit.Step{Call: "GET /" + model + "/" + id, Want: kit.Obj{"data.data.body": "drafted"}})
		if text, ok = s.CallTool(t, known, "write_draft",
			kit.Obj{"model": model, "title": "New one", "data": kit.Obj{}}); !ok ||
			!strings.Contains(text, `"status":"draft"`) {
			t.Errorf("a new entry: %s", text)
		}
		if text, ok = s.CallTool(t, kit.Credentials(s.Key(t, kit.Obj{"scopes": kit.List{"read", "write"}})), "publish",
			kit.Obj{"model": model, "id": id}); ok {
			t.Errorf("published without the scope: %s", text)
		}
	})
	t.Run("way on", func(t *testing.T) { agentsWayOn(t, s, model, known) })
}

// agentsFaults sends what is no request of the protocol: the answers are errors of JSON-RPC.
func agentsFaults(t *testing.T, s *kit.Suite, known map[string]string) {
	const ping = `{"jsonrpc": "2.0", "id": 1, "method": "ping"}`
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
		`{"jsonrpc": "2.0", "id": 1}`:     {400, -32600, nil},
		`{"jsonrpc": "2.0"}`:              {400, -32600, nil},
		`{"jsonrpc": "2.0", "id": null, "method": "ping"}`: {400,
			-32600, nil},
		`{"jsonrpc": "2.0", "id": "a", "method": "none/such"}`: {200,
			-32601, "a"},
		`{"jsonrpc": "2.0", "id": 7, "method": "tools/call"}`: {200,
			-32602, 7.0},
		`{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "none"}}`: {200,
			-32602, 7.0},
		`{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "` + strings.Repeat("x", 2<<20) +
			`"}}`: {413, -32600, nil},
		"[" + strings.Repeat(ping+",", 50) + ping + "]": {400, -32600, nil},
	} {
		status, h, v := s.PostMCP(t, http.MethodPost, known, []byte(body))
		if status != want.status || kit.Dig(v, "error.code") != float64(want.code) || kit.Dig(v, "id") != want.id ||
			kit.Dig(v, "jsonrpc") != "2.0" || h.Get("Content-Type") != "application/json" {
			t.Errorf("%.80s: %d %v %v", body, status, h.Get("Content-Type"), v)
		}
	}
	if status, _, v := s.PostMCP(t, http.MethodPost, known,
		[]byte(`{"jsonrpc": "2.0", "method": "notifications/none"}`)); status != 202 {
		t.Errorf("an unknown notification: %d %v", status, v)
	}
	for _, method := range []string{"initialize", "ping", "tools/list", "tools/call", "prompts/get",
		"completion/complete"} {
		for params, field := range map[string]string{"[]": "", "5": "", `{"_meta": 5}`: " _meta."} {
			body := `{"jsonrpc": "2.0", "id": 7, "method": "` + method + `", "params": ` + params + `}`
			for place, body := range map[string]string{"error": body, "0.error": "[" + body + "]"} {
				_, _, v := s.PostMCP(t, http.MethodPost, known, []byte(body))
				text, _ := kit.Dig(v, place+".message").(string)
				if kit.Dig(v, place+".code") != -32602.0 || !strings.HasSuffix(text, field) ||
					!strings.HasPrefix(text, "The params of "+method+" must be an object ") || strings.Contains(text, "mcp.") {
					t.Errorf("%s: %v", body, v)
				}
			}
		}
	}
	plain := map[string]string{"Content-Type": "text/plain"}
	maps.Copy(plain, known)
	if status, _, v := s.PostMCP(t, http.MethodPost, plain, []byte(ping)); status != 415 ||
		kit.Dig(v, "error.code") != -32600.0 {
		t.Errorf("plain text: %d %v", status, v)
	}
}

// agentsWayOn looks for what an agent needs to go on: in refusals, and in answers that it might misread.
func agentsWayOn(t *testing.T, s *kit.Suite, model string, known map[string]string) {
	ask := func(header map[string]string, name string, args kit.Obj, ok bool, wants ...string) (answer kit.Obj) {
		t.Helper()
		text, got := s.CallTool(t, header, name, args)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in %s", name, want, text)
			}
		}
		kit.Same(t, name, got, ok)
		_ = json.Unmarshal([]byte(text), &answer) // refusals can be texts
		return answer
	}
	writer := kit.Credentials(s.Key(t, kit.Obj{"scopes": kit.List{"read", "write"}}))
	ask(writer, "publish", kit.Obj{"model": model, "id": "x"}, false, "the scope publish", "cms keys create")
	ask(writer, "preview_link", kit.Obj{"model": model, "id": "x"}, false, "the role admin", "cms keys create")
	ask(writer, "get_health", kit.Obj{}, false, "the role admin")
	ask(writer, "comment", kit.Obj{"model": model, "id": "x", "text": "x"}, false,
		"a user, since comments have an author. To comment, connect to "+s.Target.BaseURL+"/mcp")
	ask(kit.Credentials(s.Key(t, kit.Obj{"scopes": kit.List{"read"}})), "write_draft", kit.Obj{"model": model}, false,
		"the scope write")
	_, _, v := s.CallMCP(t, writer, "initialize", kit.Obj{"protocolVersion": "2025-06-18", "capabilities": kit.Obj{},
		"clientInfo": kit.Obj{"name": "test", "version": "1"}})
	if text, _ := kit.Dig(v, "result.instructions").(string); !strings.Contains(text,
		"publish is not listed: it needs the scope publish") {
		t.Errorf("the instructions are %q", text)
	}

	made := ask(writer, "write_draft", kit.Obj{"model": model, "title": "Seen by few", "data": kit.Obj{}}, true, "note",
		"role admin")
	id, _ := made["id"].(string)
	changed := ask(writer, "write_draft", kit.Obj{"model": model, "id": id, "seo": kit.Obj{"title": "Found"}}, true,
		"note", "role admin")
	if id == "" || changed["id"] != id || made["model"] != model || changed["model"] != model {
		t.Errorf("made %v, changed %v", made, changed)
	}
	ask(writer, "get_entry", kit.Obj{"model": model, "id": id}, false, "ENTRY_NOT_FOUND", "drafts need the role admin")
	drafted := ask(known, "write_draft", kit.Obj{"model": model, "id": id, "title": "Seen by all"}, true,
		`"title":"Seen by all"`)
	if drafted["note"] != nil || drafted["meta"] == nil || kit.Dig(drafted, "data.seo.title") != "Found" {
		t.Errorf("with the role admin: %v", drafted)
	}
	slug, _ := made["slug"].(string)
	ask(known, "get_entry", kit.Obj{"model": model, "slug": slug, "version": "draft"}, true, "Seen by all")
	ask(known, "list_entries", kit.Obj{"model": model, "version": "draft",
		"filter": kit.Obj{"id": id, "status": "any"}}, true, "Seen by all")
	soon := ask(known, "preview_link", kit.Obj{"model": model, "slug": slug, "expires_in": 60}, true, `"url":null`,
		"preview_url")
	late := ask(known, "preview_link", kit.Obj{"model": model, "id": id}, true)
	if end, _ := soon["expires_at"].(string); end == "" || end >= late["expires_at"].(string) {
		t.Errorf("links end at %v and %v", soon, late)
	}
	s.Admin(t).Put(t, "/models/"+model,
		kit.Obj{"url": "/" + model + "/{slug}", "preview_url": "http://localhost:4321/{slug}?preview={token}"})
	ask(known, "list_models", kit.Obj{}, true, `"url":"/`+model+`/{slug}"`, `"preview_url":"http://localhost:4321/`)
	if text, _ := s.CallTool(t, writer, "list_models", kit.Obj{}); strings.Contains(text, "localhost:4321") ||
		!strings.Contains(text, "/"+model+"/{slug}") {
		t.Errorf("models for a key without the role: %s", text)
	}
	if link := ask(known, "preview_link", kit.Obj{"model": model, "slug": slug}, true,
		"http://localhost:4321/"); link["note"] != nil {
		t.Errorf("a link with an address: %v", link)
	}
	ask(known, "publish", kit.Obj{"model": model, "slug": slug}, true, `"status":"published"`)
	ask(known, "publish", kit.Obj{"model": model}, false, "required")
	ask(known, "upload_from_url", kit.Obj{"url": "http://127.0.0.1:9/x.txt", "name": "x.txt"}, false, "cms files put",
		"/api/v1/upload")
	limited := kit.Credentials(s.Key(t, kit.Obj{"models": kit.List{model}, "scopes": kit.List{"read", "write"}}))
	ask(limited, "upload_from_url", kit.Obj{"url": "http://127.0.0.1:9/x.txt", "name": "x.txt"}, false,
		`"code":"NOT_FOUND"`)
}
