package e2e

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// recipe is a subscription in a command of the guide.
var recipe = regexp.MustCompile(`(?s)/admin/webhooks -d '(\{.+?\})'\n`)

// buildRecipes makes the subscriptions of the section *Start a build* of the guide as it shows them,
// and looks at what the hosts would get.
func buildRecipes(t *testing.T, s *suite) {
	_, page := readGuide(t, s, "/docs/webhooks.md")
	_, page, _ = strings.Cut(page, "\n## Start a build\n")
	page, _, _ = strings.Cut(page, "\n## ")
	recipes := recipe.FindAllStringSubmatch(page, -1)
	if len(recipes) != 4 {
		t.Fatalf("the guide has %d recipes", len(recipes))
	}
	for _, text := range recipes {
		var body obj
		if err := json.Unmarshal([]byte(text[1]), &body); err != nil {
			t.Fatalf("%v: %s", err, text[1])
		}
		t.Run(str(body["name"]), func(t *testing.T) {
			t.Parallel()
			buildRecipe(t, s, body)
		})
	}
}

// buildRecipe makes the subscription of one host, with a receiver in the place of the host and
// without half a minute to wait.
func buildRecipe(t *testing.T, s *suite, body obj) {
	model, k, r := s.model(t, nil), s.key(t, nil), newReceiver(t)
	host, err := url.Parse(str(body["url"]))
	if err != nil {
		t.Fatal(err)
	}
	here, err := url.Parse(r.url)
	if err != nil {
		t.Fatal(err)
	}
	here.Path = host.Path
	body["url"], body["models"], body["bundle_seconds"] = here.String(), list{model}, 1
	hook := s.subscribe(t, body)
	draft := k.create(t, model, obj{"title": "A draft"}).str(t, "data.id")
	id := k.publish(t, model, "A page", nil)
	var got delivery
	s.fired(t, "the delivery", func() bool {
		for _, d := range r.all() {
			got = d
			if strings.Contains(string(d.raw), id) || body["body"] != nil {
				return true
			}
		}
		return false
	})
	if got.path != host.Path || got.event() != "changes" || got.header.Get("Content-Type") != "application/json" {
		t.Errorf("%s %v", got.path, got.header)
	}
	if strings.Contains(string(got.raw), draft) {
		t.Errorf("a draft starts a build: %s", got.raw)
	}
	headers, _ := body["headers"].(obj)
	for name, value := range headers {
		if got.header.Get(name) != value {
			t.Errorf("%s is %q", name, got.header.Get(name))
		}
	}
	if body["body"] == nil {
		got.check(t, s, hookSecret)
	} else if want := `{"event_type": "content", "client_payload": {"event": "changes", "delivery": "` + got.id() +
		`"}}`; string(got.raw) != want {
		t.Errorf("the body is %s, want %s", got.raw, want)
	}
	s.settled(t, hook, "delivered")
}
