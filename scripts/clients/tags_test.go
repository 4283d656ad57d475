package clients_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/hooks/webhook"
	"headless/pkg/must"
)

// TestNextTags has the package for Next.js find the tags that an event makes stale. They are those of a
// bundle with that event alone.
func TestNextTags(t *testing.T) {
	if os.Getenv("SITES") == "" {
		return // make test-sites
	}
	const program = `import("./next/webhook.js").then(({ tagsOf }) =>
		console.log(JSON.stringify(JSON.parse(process.argv[1]).map(tagsOf))))`
	type event struct {
		Event string         `json:"event"`
		Data  map[string]any `json:"data"`
	}
	var events []event
	var want [][]string
	for _, kind := range cms.EventKinds {
		c := webhook.Change{Event: kind, Model: "posts", ID: "7", Locale: "en"}
		if !webhook.Bundled(kind) {
			continue
		}
		var bundle struct {
			Data struct{ Tags []string }
		}
		must.Do(t, json.Unmarshal(webhook.ChangesBody([]webhook.Change{c}), &bundle))
		events = append(events, event{kind, map[string]any{"id": "7", "slug": "7", "model_slug": "posts", "locale": "en"}})
		want = append(want, bundle.Data.Tags)
	}
	sent, err := json.Marshal(events)
	must.Do(t, err)
	out, err := exec.CommandContext(t.Context(), "node", "-e", program, string(sent)).Output()
	must.Do(t, err)
	var got [][]string
	must.Do(t, json.Unmarshal(out, &got))
	for i, e := range events {
		tags := slices.DeleteFunc(got[i], func(tag string) bool { return tag == cms.TagEntries }) // never purged
		slices.Sort(tags)
		if !slices.Equal(tags, want[i]) {
			t.Errorf("%s: %v, want %v", e.Event, tags, want[i])
		}
	}
}
