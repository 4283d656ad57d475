package api_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/must"
	"headless/pkg/settings"
	"headless/pkg/site"
)

func newLocalizedSite(t *testing.T) *formSite {
	t.Helper()
	s := newSite(t)
	siteNow, err := s.store.Site.Site(t.Context())
	must.Do(t, err)
	tx := s.store.Begin()
	locales := append([]cms.Locale(nil), siteNow.Locales...)
	for i := range locales {
		locales[i].IsDefault = false
	}
	for i, code := range []string{"en", "de", "pt-BR", "fr", "nl"} {
		at := -1
		for j, l := range locales {
			if l.Code == code {
				at = j
			}
		}
		l := cms.Locale{Code: code, Name: code, NativeName: code, Direction: "ltr",
			IsDefault: code == "en", SortOrder: 9 - i, IsActive: code != "nl"}
		if at >= 0 {
			locales[at] = l
		} else {
			locales = append(locales, l)
		}
	}
	site.PutLocales(tx, siteNow, locales...)
	must.Do(t, s.store.Commit(t.Context(), tx))
	settings := settings.Settings{Store: s.store.Site}
	if _, err := settings.Update(t.Context(), admin, []any{
		map[string]any{"group": "site", "key": "name", "value": "Site", "is_public": true,
			"is_translatable": true, "translations": map[string]any{"de": "Seite"}},
		map[string]any{"group": "site", "key": "tagline", "value": "private", "is_public": false},
		map[string]any{"group": "mail", "key": "password", "value": "hidden-secret", "is_public": false},
	}, nil); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSettingsLocale(t *testing.T) {
	s := newLocalizedSite(t)
	for _, row := range []struct{ query, accept, want string }{
		{"", "", "en"}, {"?locale=de", "fr", "de"}, {"?locale=DE", "", "de"},
		{"?locale=xx", "fr", "fr"}, {"?locale=nl", "", "en"}, {"?locale=", "de", "de"},
		{"", "de-AT", "de"}, {"", "de-AT,fr", "de"}, {"", "fr;q=0.5, de;q=0.9", "de"},
		{"", "nl, fr;q=0.1", "fr"}, {"", "de;q=0, fr;q=0.1", "fr"},
		{"", "pt", "pt-BR"}, {"", "pt-PT", "en"}, {"", "zh-Hant-TW", "en"}, {"", "*", "en"},
		{"", "xx, *;q=0.5", "en"}, {"", "de-x-private", "de"},
		{"", "fr;q=0.1\nde", "de"}, {"", "xx\nde", "de"}, // two lines
		{"", "!!!", "en"}, {"", "!!!, de", "de"}, {"", "de;q=high", "de"},
		{"", "xx;q=high, de", "de"}, {"", "fr;Q=0.1, de", "de"}, {"", "de ; q=0.2 , fr", "fr"},
		{"", "*, de", "de"}, {"", "pt, *;q=0.5", "pt-BR"}, {"", "de;q=0.8, *", "de"},
		{"", strings.Repeat("xx,", 2000) + "de", "en"},
	} {
		r := httptest.NewRequest("GET", "/api/v1/settings"+row.query, nil)
		r.Header["Accept-Language"] = strings.Split(row.accept, "\n")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		name := map[string]string{"de": "Seite"}[row.want]
		if name == "" {
			name = "Site"
		}
		body := w.Body.String()
		if w.Code != 200 || !strings.Contains(body, `"meta":{"locale":"`+row.want+`"}`) ||
			!strings.Contains(body, `"name":"`+name+`"`) {
			t.Errorf("%s with %.40q: %d %s, want %s", row.query, row.accept, w.Code, body, row.want)
		}
		if !strings.Contains(strings.Join(w.Header().Values("Vary"), ","), "Accept-Language") ||
			w.Header().Get("ETag") == "" || w.Header().Get("Cache-Control") != "no-cache" {
			t.Errorf("headers %v", w.Header())
		}
	}
}

func TestSettingsArePublicOnly(t *testing.T) {
	s := newLocalizedSite(t)
	a := s.send("192.0.2.1:1", "/settings", "")
	for group, keys := range map[string][]string{
		"site":   {"name", "tagline", "logo", "favicon", "default_locale"},
		"seo":    {"default_title", "default_description", "og_image"},
		"social": {"twitter", "linkedin", "github", "youtube"},
	} {
		values, _ := a.Data[group].(map[string]any)
		if len(values) != len(keys) {
			t.Errorf("%s: %v", group, values)
		}
		for _, key := range keys {
			if _, ok := values[key].(string); !ok {
				t.Errorf("%s.%s: %v", group, key, values[key])
			}
		}
	}
	if body := a.Body.String(); len(a.Data) != 3 || strings.Contains(body, "private") ||
		strings.Contains(body, "secret") || strings.Contains(body, "mail") {
		t.Error(body)
	}
}

func TestActiveLocales(t *testing.T) {
	s := newLocalizedSite(t)
	a := s.send("192.0.2.1:1", "/i18n/locales", "")
	want := `{"data":[{"code":"fr","name":"fr","native_name":"fr","direction":"ltr","is_default":false,"sort_order":6,"fallback":null},` +
		`{"code":"pt-BR","name":"pt-BR","native_name":"pt-BR","direction":"ltr","is_default":false,"sort_order":7,"fallback":null},` +
		`{"code":"de","name":"de","native_name":"de","direction":"ltr","is_default":false,"sort_order":8,"fallback":null},` +
		`{"code":"en","name":"en","native_name":"en","direction":"ltr","is_default":true,"sort_order":9,"fallback":null}],"meta":{},"error":null}`
	if a.Code != 200 || a.Body.String() != want {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	r := httptest.NewRequest("GET", "/api/v1/i18n/locales", nil)
	r.Header.Set("If-None-Match", a.Header().Get("ETag"))
	w := httptest.NewRecorder()
	if s.ServeHTTP(w, r); w.Code != 304 {
		t.Errorf("again: %d", w.Code)
	}
}
