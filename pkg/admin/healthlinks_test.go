package admin_test

import "testing"

// TestReplaceLinksNamesTargets opens the page that replaces links as somebody who may read one model: entries of
// others have neither their titles there, nor are they called deleted.
func TestReplaceLinksNamesTargets(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	ids := map[string]string{}
	for _, model := range []string{"pages", "deals"} {
		c.must(t, 201, "POST", "/models", map[string]any{"slug": model, "name": model})
		ids[model] = c.must(t, 201, "POST", "/models/"+model+"/entries",
			map[string]any{"title": "One of " + model}).text(t, "id")
	}
	c.must(t, 201, "POST", "/roles", `{"slug":"pages","name":"Pages","rules":[{"models":["pages"]}]}`)
	c.must(t, 201, "POST", "/users", map[string]any{"email": "uwe@example.com", "name": "Uwe", "password": password,
		"role": "pages"})
	none := "018f3f6e-3f0c-7b5a-9c3e-0a4b6c1d2e3f"
	page := s.browseAs(t, "uwe@example.com").get(t,
		"/health/links?entry="+ids["pages"]+"&entry="+ids["deals"]+"&entry="+none)
	for text, want := range map[string]bool{"One of pages (draft)": true, "One of deals": false, ids["deals"]: true,
		ids["deals"] + " (deleted)": false, none + " (deleted)": true} {
		if contains(page, text) != want {
			t.Errorf("%q: %d %s", text, page.Code, page.Body)
		}
	}
}

// TestReplaceLinksSaysWhyHidden: a published target that readers do not see, since its model or its locale is switched
// off, is not called published beside the finding that says so.
func TestReplaceLinksSaysWhyHidden(t *testing.T) {
	s := newSite(t)
	c := s.as(t, adminEmail)
	c.must(t, 201, "POST", "/locales", `{"code":"fr","name":"French"}`)
	c.must(t, 201, "POST", "/models", `{"slug":"pages","name":"Pages","localized":true}`)
	c.must(t, 201, "POST", "/models", `{"slug":"deals","name":"Deals"}`)
	at := "/health/links?"
	for model, body := range map[string]string{"pages": `{"title":"Page","status":"published","locale":"fr"}`,
		"deals": `{"title":"Deal","status":"published"}`} {
		at += "&entry=" + c.must(t, 201, "POST", "/models/"+model+"/entries", body).text(t, "id")
	}
	c.must(t, 200, "PUT", "/locales/fr", `{"is_active":false}`)
	c.must(t, 200, "PUT", "/models/deals", `{"is_active":false}`)
	page := s.browse(t).get(t, at)
	if !contains(page, "Page (inactive)") || !contains(page, "Deal (inactive)") {
		t.Errorf("%d %s", page.Code, page.Body)
	}
}
