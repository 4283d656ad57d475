package demo

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"headless/pkg/apikeys"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/forms"
	"headless/pkg/index"
	"headless/pkg/menus"
	"headless/pkg/must"
	"headless/pkg/rooms"
	"headless/pkg/settings"
	"headless/pkg/site"
	"headless/pkg/table/bolt"
	"headless/pkg/urls"
)

func TestSeed(t *testing.T) {
	table, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	st := rooms.New(table, time.Now)
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	ctx := context.Background()
	pictures := map[string]string{} // types by id
	s := Services{
		Locales: &site.Locales{Store: st.Site}, Settings: &settings.Settings{Store: st.Site},
		Models: &site.Models{Store: st.Site}, SiteURL: "http://localhost:3000",
		Forms: &forms.Forms{Store: st.Forms}, Keys: &apikeys.Keys{Store: st.Keys},
		Entries: &editing.Entries{Store: st.Content,
			MediaTypes: func(context.Context, []string) (map[string]string, error) { return pictures, nil }},
		Upload: func(_ context.Context, _ cms.Actor, name, alt string, picture []byte) (string, error) {
			if alt == "" || len(picture) == 0 {
				t.Errorf("picture %s is incomplete", name)
			}
			id := "0190c8a0-0000-7000-8000-00000000000" + string(rune('0'+len(pictures)))
			pictures[id] = "image/png"
			return id, nil
		},
	}
	must.Do(t, s.Locales.EnsureDefault(ctx))
	keys, err := Seed(ctx, s)
	must.Do(t, err)
	opening, err := st.Keys.Open(ctx, keys.Full.PublicKey)
	if err != nil || opening.Key == nil {
		t.Fatal("the key is not there", err)
	}
	for _, tt := range []struct {
		model, locale string
		status        cms.Status
		want          int
	}{
		{"posts", "en", cms.StatusPublished, 6}, {"posts", "de", cms.StatusPublished, 3},
		{"posts", "en", cms.StatusDraft, 1}, {"posts", "en", cms.StatusArchived, 1},
		{"authors", "en", cms.StatusPublished, 3}, {"home", "de", cms.StatusPublished, 1},
		{"pages", "en", cms.StatusPublished, 5},
	} {
		m, err := opening.Site.ActiveModel(tt.model)
		must.Do(t, err)
		page, err := st.Content.Entries(ctx, m, []string{tt.locale}, []cms.Status{tt.status},
			index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 50}})
		if err != nil || page.Total != tt.want {
			t.Errorf("%s in %s, %s: %d %v, want %d", tt.model, tt.locale, tt.status, page.Total, err, tt.want)
		}
	}
	// What is German is the translation of something: else the site says that it is missing.
	for _, slug := range []string{"categories", "home", "pages", "posts", "products"} {
		m := opening.Site.Models[slug]
		page, err := st.Content.Entries(ctx, m, []string{"de"}, cms.Statuses,
			index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 50}})
		if err != nil || page.Total == 0 {
			t.Fatal(page.Total, err)
		}
		for _, item := range page.Items {
			e, err := item.Decoded()
			must.Do(t, err)
			if found, err := st.Content.EntryByID(ctx, m, e.ID, true); err != nil || found.Beside == nil {
				t.Errorf("%s/%s translates nothing %v", slug, e.Slug, err)
			}
		}
	}
	// The first call of the README asks for the addresses of posts.
	for _, slug := range []string{"posts", "products", "pages"} {
		if m, err := opening.Site.ActiveModel(slug); err != nil || m.URL == "" {
			t.Errorf("%s have no addresses %v", slug, err)
		}
	}
	f := &urls.Finder{Store: st.Content, Site: opening.Site, Path: "/about/repairs",
		Sees: func(*site.Model, *cms.Entry) bool { return true }}
	if _, err := f.Redirect(ctx); err != nil {
		t.Fatal(err)
	}
	if to, err := f.Former(ctx); err != nil || to != "/repairs" {
		t.Errorf("the moved page is at %q %v", to, err)
	}
	menu, err := (&menus.Menus{Store: st.Content}).Get(ctx, "main")
	if err != nil || len(menu.Items["en"]) != 3 || len(menu.Items["de"]) != 2 {
		t.Errorf("the menu is %v %v", menu, err)
	}
	if len(opening.Site.Forms) != 2 || len(opening.Site.Locales) != 2 {
		t.Errorf("%d forms, %d locales", len(opening.Site.Forms), len(opening.Site.Locales))
	}
}
