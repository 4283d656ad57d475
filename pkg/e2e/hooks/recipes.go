package hooks

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
	"headless/pkg/must"
)

// recipe is a subscription in a command of the guide.
var recipe = regexp.MustCompile(`(?s)/admin/webhooks -d '(\{.+?\})'\n`)

// buildRecipes makes the subscriptions of the section *Start a build* of the guide as it shows them,
// and looks at what the hosts would get.
func buildRecipes(t *testing.T, s *kit.Suite) {
	guide := string(s.Bare().Fetch(t, "/docs/webhooks.md").Raw)
	_, page, _ := strings.Cut(guide, "\n## Start a build\n")
	page, _, _ = strings.Cut(page, "\n## ")
	recipes := recipe.FindAllStringSubmatch(page, -1)
	if len(recipes) != 4 {
		t.Fatalf("the guide has %d recipes", len(recipes))
	}
	for _, text := range recipes {
		var body kit.Obj
		if err := json.Unmarshal([]byte(text[1]), &body); err != nil {
			t.Fatalf("%v: %s", err, text[1])
		}
		t.Run(kit.Str(body["name"]), func(t *testing.T) {
			t.Parallel()
			buildRecipe(t, s, body)
		})
	}
}

// buildRecipe makes the subscription of one host, with a receiver in the place of the host and
// without half a minute to wait.
func buildRecipe(t *testing.T, s *kit.Suite, body kit.Obj) {
	model, k, r := s.Model(t, nil), s.Key(t, nil), kit.NewReceiver(t)
	host, err := url.Parse(kit.Str(body["url"]))
	must.Do(t, err)
	here, err := url.Parse(r.URL)
	must.Do(t, err)
	here.Path = host.Path
	body["url"], body["models"], body["bundle_seconds"] = here.String(), kit.List{model}, 1
	hook := s.Subscribe(t, body)
	draft := k.Create(t, model, kit.Obj{"title": "A draft"}).Str(t, "data.id")
	id := k.Publish(t, model, "A page", nil)
	var got kit.Delivery
	s.Eventually(t, "the delivery", func() bool {
		for _, d := range r.All() {
			got = d
			if strings.Contains(string(d.Raw), id) || body["body"] != nil {
				return true
			}
		}
		return false
	})
	if got.Path != host.Path || got.Event() != "changes" || got.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s %v", got.Path, got.Header)
	}
	if strings.Contains(string(got.Raw), draft) {
		t.Errorf("a draft starts a build: %s", got.Raw)
	}
	headers, _ := body["headers"].(kit.Obj)
	for name, value := range headers {
		kit.Same(t, name, got.Header.Get(name), value)
	}
	if body["body"] == nil {
		got.Check(t, s, kit.HookSecret)
	} else if want := `{"event_type": "content", "client_payload": {"event": "changes", "delivery": "` + got.ID() +
		`"}}`; string(got.Raw) != want {
		t.Errorf("the body is %s, want %s", got.Raw, want)
	}
	settled(t, s, hook, "delivered")
}
