package browser

import (
	"context"
	"image/color"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// rowsOfControls lists the menus ⋯ that stand alone on a line, the bars whose controls take several lines, the buttons
// of rows that are not quiet, and what lies over something else in a bar.
const rowsOfControls = `(() => {
	const shown = (list) => [...list].filter((e) => e.checkVisibility() && !e.closest(".pop"));
	const middle = (e) => (({ top, height }) => top + height / 2)(e.getBoundingClientRect());
	const beside = (a, b) => Math.abs(middle(a) - middle(b)) < 20;
	const controls = shown(document.querySelectorAll("main :is(a, button, summary, h1, input, select)"));
	const alone = controls.filter((e) => e.textContent === "⋯" && !controls.some((other) => other !== e && beside(e, other)));
	const bars = shown(document.querySelectorAll("main > .head > .actions")).filter((bar) => {
		const [first, ...others] = shown(bar.querySelectorAll("a, button, summary"));
		return others.some((e) => !beside(e, first));
	});
	const loud = shown(document.querySelectorAll("td.buttons :is(button, .button)")).filter((e) => getComputedStyle(e).borderTopColor !== "rgba(0, 0, 0, 0)");
	const parts = shown(document.querySelectorAll(":is(.entry-bar, main > .head) :is(a, button:not(.hidden), summary, .badge):not(.tabs *)"));
	const over = parts.filter((e) => parts.some((other) => {
		if (e.contains(other) || other.contains(e)) return false;
		const [a, b] = [e.getBoundingClientRect(), other.getBoundingClientRect()];
		return a.width > 1 && b.width > 1 && a.left + 1 < b.right && b.left + 1 < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom;
	}));
	const tight = shown(document.querySelectorAll("main .form > .field")).filter((field) => {
		let before = field.previousElementSibling;
		while (before && !before.offsetHeight) before = before.previousElementSibling;
		return before?.matches("p, details") && field.getBoundingClientRect().top - before.getBoundingClientRect().bottom < 8;
	});
	return [...tight.map((e) => "a field without a gap before it: " + e.innerText), ...over.map((e) => "something lies over " + e.textContent), ...loud.map((e) => "a loud button in a row: " + e.innerText), ...alone.map(() => "⋯ stands alone on its line"), ...bars.map((bar) => "the actions take several lines: " + bar.innerText)];
})()`

// TestBrowserPages looks at every page, wide and as narrow as a phone, light and dark.
func TestBrowserPages(t *testing.T) {
	s := newSite(t)
	for code, name := range map[string]string{"de": "German", "fr": "French"} {
		s.call("POST", "/locales", obj{"code": code, "name": name})
	}
	s.call("POST", "/models", obj{"slug": "posts", "name": "Posts", "localized": true,
		"fields": []obj{
			{"name": "intro", "type": "textarea", "help": "Shown in lists."},
			{"name": "body", "type": "richtext"}, {"name": "date", "type": "date"},
			{"name": "at", "type": "datetime"}, {"name": "minutes", "type": "number"},
			{"name": "featured", "type": "boolean"},
			{"name": "topic", "type": "select", "options": []string{"a", "b"}},
			{"name": "tags", "type": "multiselect", "options": []string{"a", "b"}},
			{"name": "related", "type": "relation", "model": "posts", "many": true},
			{"name": "cover", "type": "media"},
			{"name": "place", "type": "group", "fields": []obj{{"name": "city", "type": "text"}}},
			{"name": "faq", "type": "list", "fields": []obj{{"name": "question", "type": "text"}}},
			{"name": "parts", "type": "blocks",
				"fields": []obj{{"name": "quote", "type": "group", "fields": []obj{{"name": "text", "type": "textarea"}}}}},
			{"name": "extra", "type": "json"},
		}})
	s.call("POST", "/models", map[string]any{"slug": "pages", "name": "Pages", "tree": true, "url": "/{path}",
		"fields": []map[string]any{}})
	top := s.call("POST", "/models/pages/entries", map[string]any{"title": "Firm", "status": "published"})["id"]
	s.call("POST", "/models/pages/entries", map[string]any{"title": "Jobs", "status": "published", "parent": top})
	long := "a-very-long-word-that-a-narrow-screen-must-break-somewhere-or-it-moves-the-whole-page-sideways"
	cover := s.upload(long+".png", color.White)
	entry := s.made("/models/posts/entries", obj{"title": long, "data": obj{
		"intro": long, "minutes": 4, "cover": cover,
		"place": obj{"city": "Graz"}, "faq": []any{obj{"question": "Why?"}},
		"parts": []any{obj{"type": "quote", "text": "So."}},
	}})
	hook := s.made("/webhooks", obj{"name": long, "url": "http://127.0.0.1:9/" +
		long, "events": []string{"*"}, "headers": map[string]string{"X-Team": "web"}})
	s.call("POST", "/webhooks/"+hook+"/test", obj{})
	key := s.made("/keys", obj{"name": long, "scopes": []string{"read"}})
	s.call("POST", "/forms", obj{"slug": "contact", "name": long,
		"fields": []obj{{"name": "message", "type": "textarea"}}})

	s.call("PUT", "/models/posts/entries/"+entry+"/draft", obj{"title": long + " again"})
	release := s.made("/releases", obj{"name": long, "publish_at": "2030-01-01T09:00:00Z",
		"items": []any{obj{"model": "posts", "id": entry, "action": "publish"}}})
	s.call("POST", "/roles", obj{"slug": "translators", "name": long,
		"rules": []any{obj{"models": []string{"posts"}, "actions": []string{"read", "write"}}}})
	s.call("POST", "/redirects", obj{"from": "/" + long, "to": "/" + long + "-too"})

	b := s.newTab()
	b.open("/login")
	b.audit(t, "/login")
	b.signIn(email)
	for _, path := range []string{
		"/", "/models", "/models/create", "/models/posts", "/models/posts/edit",
		"/models/posts/entries", "/models/posts/entries/create",
		"/models/posts/entries/" + entry, "/models/posts/entries/" + entry + "/edit",
		"/models/posts/entries/" + entry + "/revisions", "/trash",
		"/locales", "/locales/create", "/locales/en", "/settings", "/keys", "/keys/create",
		"/keys/" + key, "/webhooks", "/webhooks/create", "/webhooks/" + hook, "/webhooks/" + hook + "/edit",
		"/users", "/users/create", "/profile", "/activity", "/requests", "/forms", "/forms/create",
		"/forms/contact", "/forms/contact/edit", "/forms/contact/submissions",
		"/models/pages/tree", "/releases", "/releases/create", "/releases/" + release, "/releases/" + release + "/edit",
		"/redirects", "/redirects/create",
		"/redirects.csv/upload", "/roles", "/roles/create", "/roles/translators",
		"/roles/translators/edit", "/planned", "/invitations",
		"/models/posts/entries/" + entry + "/schedule", "/models/posts/entries/" + entry +
			"/preview", "/models/posts/entries/" + entry + "/draft",
		"/models/posts/entries/" + entry + "/review", "/models/posts/entries/" + entry + "/duplicate",
		"/models/posts/import", "/models/posts/presets", "/models/posts/presets/create?entry=" + entry,
		"/models/pages/tree/move?id=" + top.(string), "/webhooks/" + hook + "/replay", "/tasks", "/health", "/menus",
		"/menus/create", "/targets", "/targets/create", "/people", "/passkeys", "/totp", "/sessions", "/tokens",
		"/tokens/create", "/grants", "/previews", "/previews/new", "/redirects/former", "/media/folders/create",
		"/media/" + cover + "/edit", "/media", "/media/create", "/media/folders", "/help", "/search", "/jobs", "/styleguide",
		"/../docs", "/../docs/api", "/../docs/search?q=webhook+signature",
	} {
		t.Run(path, func(t *testing.T) {
			b.open(path)
			b.do(chromedp.EmulateViewport(1280, 760))
			b.scheme("dark")
			b.auditColours(t, "dark")
			b.scheme("light")
			b.audit(t, "light")
			b.auditTree(t)
			b.do(chromedp.EmulateViewport(390, 760))
			b.audit(t, "light")
			for _, width := range []int64{1024, 768, 390, 320} {
				b.do(chromedp.EmulateViewport(width, 760))
				if got := eval[int64](b, "document.documentElement.scrollWidth"); got > width {
					t.Errorf("at %d px the page is %d wide", width, got)
				}
				for _, flaw := range eval[[]string](b, rowsOfControls) {
					t.Errorf("at %d px: %s", width, flaw)
				}
			}
			b.do(chromedp.EmulateViewport(390, 760))
			b.fontSize(32)
			for _, flaw := range eval[[]string](b, tooWide) {
				t.Errorf("with text of 200 %%: %s", flaw)
			}
			b.fontSize(16)
		})
	}
}

// tooWide lists the elements that make a page wider than its window.
const tooWide = `(() => {
	const out = (e) => e.getBoundingClientRect().right > innerWidth + 1 || e.getBoundingClientRect().left < -1;
	const cut = (e) => e && (getComputedStyle(e).overflowX !== "visible" || cut(e.parentElement));
	if (document.documentElement.scrollWidth <= innerWidth) return [];
	return [...document.querySelectorAll("body *:not(.skip)")].filter((e) => e.checkVisibility() && out(e) && !cut(e.parentElement) && ![...e.children].some(out))
		.map((e) => e.outerHTML.slice(0, 160));
})()`

// fontSize sets the size of text that somebody has chosen in the browser, in pixels.
func (b *tab) fontSize(pixels int64) {
	b.t.Helper()
	b.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, page.SetFontSizes,
			page.SetFontSizesParams{FontSizes: &page.FontSizes{Standard: pixels, Fixed: pixels}})
		return chromedp.Void{}, err
	})
}

// TestBrowserZoom looks at the main pages as a screen of 1,280 by 800 pixels shows them at 200 %.
func TestBrowserZoom(t *testing.T) {
	s, at := desk(t)
	s.upload("lamp.png", color.White)
	b := s.openTab()
	b.do(chromedp.EmulateViewport(640, 400, chromedp.EmulateScale(2)))
	for _, path := range []string{"/", "/models/posts/entries?all=true", at, "/media", "/planned", "/settings"} {
		b.open(path)
		b.scheme("light")
		b.audit(t, path)
		b.scheme("dark")
		b.audit(t, path+", dark")
	}
}

// TestBrowserLargeText: pages follow the size of text that people choose in their browser, and need no sideways scroll.
func TestBrowserLargeText(t *testing.T) {
	s, at := desk(t)
	s.call("PUT", "/profile", obj{"language": "ja"})
	s.options = []chromedp.ExecAllocatorOption{chromedp.Flag("blink-settings", "defaultFontSize=32")}
	b := s.newTab()
	b.open("/login")
	b.fill("email", email)
	b.fill("password", password+"\r")
	b.see("ホーム")
	for _, path := range []string{"/models/posts/entries?all=true", at, "/planned"} {
		b.open(path)
		b.do(chromedp.EmulateViewport(1280, 900))
		if size := eval[string](b, `getComputedStyle(document.querySelector("main")).fontSize`); size != "30px" {
			t.Errorf("%s: the size of text is %s", path, size)
		}
		b.audit(t, path)
		b.do(chromedp.EmulateViewport(390, 900))
		if eval[bool](b, `(({ right, height }) => right > innerWidth || height > 100)(document.querySelector(".menu-link").getBoundingClientRect())`) {
			t.Errorf("%s: the button of the menu has several lines, or lies outside of the window", path)
		}
	}
}
