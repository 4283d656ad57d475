package schema

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks"
	"headless/pkg/slice"
)

// webhooks plans the changes of webhooks. They keep their secrets and headers. A new webhook gets a
// secret, which only a rotation shows.
func (w *work) webhooks() error {
	names, total := namer{}, len(w.st.hooks)
	for i, body := range w.in.parts["webhooks"] {
		at := fmt.Sprintf("webhooks.%d", i)
		title, _ := body["name"].(string)
		url, _ := body["url"].(string)
		name := names.nextName(cmp.Or(title, url))
		if w.hook(name) == nil {
			total++
		}
		if err := w.changeWebhook(at, name, body); err != nil {
			return err
		}
	}
	for _, name := range w.in.deletes["webhooks"] {
		if hook := w.hook(name); hook != nil {
			total--
			w.addChange("delete", "webhook", "webhooks."+name, Safe, "The webhook and its log are deleted.")
			w.stage(func(tx *db.Tx) { hooks.DeleteWebhook(tx, *hook) })
		}
	}
	if total > hooks.MaxWebhooks {
		w.problems.Add("webhooks", "there would be %d; a site may have %d", total, hooks.MaxWebhooks)
	}
	return nil
}

func (w *work) hook(name string) *hooks.Webhook {
	for i := range w.st.hooks {
		if w.st.hooks[i].name == name {
			return &w.st.hooks[i].hook
		}
	}
	return nil
}

func (w *work) changeWebhook(at, name string, body map[string]any) error {
	hook := hooks.Webhook{Webhook: cms.NewWebhook()}
	was, before := w.hook(name), Part(nil)
	given := maps.Clone(body)
	delete(given, "models")
	if was != nil {
		hook, before = *was, part(was.Webhook)
		if body["url"] == hook.URL { // accepted before; the check would make a DNS request
			delete(given, "url")
		}
	} else {
		hook.ID = uuid.Must(uuid.NewV7()).String()
	}
	followed, _ := w.newSlugs().renamedOf(hook.Models)
	models := w.modelsOf(at, followed, body)
	hook.Models = models
	p := cms.Problems{}
	if err := w.Webhooks.Stage(w.ctx, p, &hook, given, was == nil); err != nil {
		return err
	}
	hook.Models = models
	w.addProblems(at, p)
	if !w.listChange("webhook", name, before, part(hook.Webhook), "New webhook. Rotate its secret to see it.") {
		return nil
	}
	w.stage(func(tx *db.Tx) {
		if was == nil {
			hook.CreatedAt = tx.At()
		}
		hook.UpdatedAt = tx.At()
		hooks.PutWebhook(tx, hook)
	})
	return nil
}

// modelsOf returns the models that a webhook is limited to. They may be new in this schema.
func (w *work) modelsOf(at string, before []string, body map[string]any) []string {
	list, ok := body["models"].([]any)
	if !ok {
		if body["models"] != nil {
			w.problems.Add(at+".models", "must be a list")
		}
		return before
	}
	models := []string{}
	for _, v := range list {
		slug, _ := v.(string)
		if w.target.Models[slug] == nil && !slices.Contains(before, slug) {
			w.problems.Add(at+".models", "%q is not a model", slug)
		}
		models = append(models, slug)
	}
	return slice.Distinct(models)
}
