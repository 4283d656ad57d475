// Package browser drives the admin area of a whole embedded service in a real browser. `make
// test-browser` runs it; it needs Chromium and axe, which scripts/tools/chromium.sh and node.sh
// install. Without BROWSER=1 there is nothing to test, so that `make test` needs no browser.
package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"headless/pkg/app"
	"headless/pkg/app/embedded"
	"headless/pkg/must"
)

const (
	email    = "root@example.com"
	password = "a long enough password"
	patience = time.Minute // of a test on a busy machine; one that passes waits for no time
)

// chromium is the path of the browser.
var chromium string

// TestMain requires a browser if BROWSER is set.
func TestMain(m *testing.M) {
	if os.Getenv("BROWSER") == "" {
		os.Exit(0)
	}
	path, err := exec.Command("../tools/chromium.sh", "path").Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, "There is no Chromium here: run scripts/tools/chromium.sh install.")
		os.Exit(1)
	}
	chromium = strings.TrimSpace(string(path))
	if err := loadAxe(); err != nil {
		fmt.Fprintln(os.Stderr, err, "\nRun scripts/tools/node.sh install axe.")
		os.Exit(1)
	}
	status := m.Run()
	if shared.close != nil {
		shared.close()
	}
	os.Exit(status)
}

// site is a running service with one admin.
type site struct {
	t     *testing.T
	url   string
	token string
	// How the browser finds it; nil where that takes nothing. With options, each tab is a browser of its own.
	options []chromedp.ExecAllocatorOption
	// delay is how many milliseconds each request waits, unless it is set to 0 meanwhile; while down is set, connections
	// break.
	delay atomic.Int64
	down  atomic.Bool
	asked atomic.Int64 // requests of the admin area, without its assets
	// refusal is the status of the answer to each POST, unless it is 0.
	refusal atomic.Int64
}

// slow makes the service answer as slow as the test wants, or not at all. A slow request goes on after the browser has
// given it up, as behind a proxy.
func (s *site) slow(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if delay := s.delay.Load(); delay > 0 {
			end := time.Now().Add(time.Duration(delay) * time.Millisecond)
			for s.delay.Load() > 0 && time.Now().Before(end) {
				time.Sleep(time.Millisecond)
			}
			r = r.WithContext(context.WithoutCancel(r.Context()))
		}
		if strings.HasPrefix(r.URL.Path, "/admin") && !strings.HasPrefix(r.URL.Path, "/admin/assets/") {
			s.asked.Add(1)
		}
		if s.down.Load() {
			panic(http.ErrAbortHandler)
		}
		if status := int(s.refusal.Load()); status != 0 && r.Method == http.MethodPost {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, `{"data":null,"error":{"code":"REFUSED","message":"Try again in a moment."}}`)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func newSite(t *testing.T) *site { t.Helper(); return newSiteWith(t, "none") }

// newSiteWith is startSite with the session of the admin.
func newSiteWith(t *testing.T, seed string, more ...string) *site {
	t.Helper()
	s := startSite(t, seed, more...)
	s.signInByPassword()
	return s
}

func (s *site) signInByPassword() {
	s.t.Helper()
	s.token = s.call("POST", "/login", obj{"email": email, "password": password})["token"].(string)
}

// startSite starts a service with the content that SEED names, and further names and values of its environment.
func startSite(t *testing.T, seed string, more ...string) *site {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must.Do(t, err)
	s := &site{t: t, url: "http://localhost:" +
		listener.Addr().String()[strings.LastIndex(listener.Addr().String(), ":")+1:]}
	env := map[string]string{"DATA_DIR": t.TempDir(), "SITE_URL": s.url, "SEED": seed,
		"ADMIN_EMAIL": email, "ADMIN_PASSWORD": password, "WEBHOOK_ALLOW_INSECURE": "true"}
	for pair := range slices.Chunk(more, 2) {
		env[pair[0]] = pair[1]
	}
	hs := &httptest.Server{Listener: listener, Config: &http.Server{Handler: s.slow(openService(t, env)),
		ReadHeaderTimeout: patience}}
	hs.Start()
	t.Cleanup(hs.Close)
	return s
}

// openService opens a service until the test ends; env is its environment.
func openService(t *testing.T, env map[string]string) *embedded.Server {
	t.Helper()
	getenv := func(name string) string { return env[name] }
	cfg, err := app.FromEnv(getenv)
	must.Do(t, err)
	must.Do(t, cfg.ReadProvider(getenv))
	cfg.PasswordMemory = 64
	server, err := embedded.New(cfg, slog.New(slog.NewTextHandler(io.Discard, nil)))
	must.Do(t, err)
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// obj is an object of JSON.
type obj = map[string]any

// made makes an item and returns its id.
func (s *site) made(path string, body any) string {
	s.t.Helper()
	return s.call("POST", path, body)["id"].(string)
}

// call uses the JSON side of the admin area.
func (s *site) call(method, path string, body any) obj {
	s.t.Helper()
	raw, err := json.Marshal(body)
	must.Do(s.t, err)
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+"/admin"+path, bytes.NewReader(raw))
	must.Do(s.t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if s.token != "" {
		req.Header.Set("Authorization", "Bearer "+s.token)
	}
	res, err := http.DefaultClient.Do(req)
	must.Do(s.t, err)
	defer res.Body.Close()
	var answer struct{ Data, Error obj }
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil || res.StatusCode >= 300 {
		s.t.Fatalf("%s %s: %s (%v) %v", method, path, res.Status, err, answer.Error)
	}
	return answer.Data
}

// tab is a page that shares nothing with others.
type tab struct {
	*site
	ctx      context.Context
	mu       sync.Mutex
	problems []string
	frame    cdp.FrameID // of the page
	loading  atomic.Bool // a page is on its way
	broken   atomic.Bool // the test breaks connections
	asks     atomic.Bool // the test makes a change that is refused for now or asked about: 403, 409, 429, 503
	plain    bool        // scripts of pages do not run
}

// shared is the browser of all tests that need no options. It takes a second to start, a tab much less.
var shared process

// process is a running browser.
type process struct {
	ctx   context.Context
	close context.CancelFunc
}

// start starts the browser unless it runs.
func (p *process) start() error {
	if p.ctx != nil && p.ctx.Err() == nil {
		return nil
	}
	p.ctx, p.close = chromedp.NewContext(context.Background(), browserOptions())
	return chromedp.Do(p.ctx)
}

// browserOptions adds to the options of chromedp. The lists that drop down from the address bar are pages: each
// window loads them, and tests do not see them. Letters look the same in Chromium and its headless shell without hints.
func browserOptions(more ...chromedp.ExecAllocatorOption) chromedp.ContextOption {
	return chromedp.WithAllocatorOptions(append(more, chromedp.ExecPath(chromium),
		chromedp.Flag("font-render-hinting", "none"), chromedp.Flag("disable-features",
			"Translate,BlinkGenPropertyTrees,WebUIOmniboxPopup,WebUIOmniboxAimPopup"))...)
}

// newTab opens a tab that shares nothing with others: neither cookies nor storage nor workers.
func (s *site) newTab() *tab {
	s.t.Helper()
	parent, option := context.Background(), browserOptions(s.options...)
	if s.options == nil {
		must.Do(s.t, shared.start())
		parent, option = shared.ctx, chromedp.WithNewBrowserContext()
	}
	ctx, cancel := chromedp.NewContext(parent, option)
	s.t.Cleanup(cancel)
	b := s.tabOf(ctx)
	b.do(chromedp.EmulateViewport(1280, 900))
	return b
}

// tabOf returns the tab of a context. What its console complains about fails the test.
func (s *site) tabOf(ctx context.Context) *tab {
	s.t.Helper()
	b := &tab{site: s, ctx: ctx}
	must.Do(s.t, chromedp.Do(ctx, focus, chromedp.Func(func(_ context.Context, t *chromedp.Target) error {
		b.frame = cdp.FrameID(t.TargetID)
		return nil
	})))
	must.Do(s.t, chromedp.Listen(ctx, b.listen))
	s.t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, p := range b.problems {
			s.t.Error("console:", p)
		}
	})
	return b
}

// focus makes a tab behave as if it had the focus, also while another one has it.
func focus(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
	_, err := cdp.Call(ctx, t, emulation.SetFocusEmulationEnabled,
		emulation.SetFocusEmulationEnabledParams{Enabled: true})
	return chromedp.Void{}, err
}

// listen collects errors of the console: broken policies, missing files, exceptions. A form that is
// refused is none. It also notes whether the page is being loaded.
func (b *tab) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *page.EventFrameStartedLoading:
		if e.FrameID == b.frame {
			b.loading.Store(true)
		}
	case *page.EventFrameStoppedLoading:
		if e.FrameID == b.frame {
			b.loading.Store(false)
		}
	case *page.EventJavascriptDialogOpening: // the page asks before it is left: it may not know yet that a text is saved
		go chromedp.Do(b.ctx, func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, t, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
			return chromedp.Void{}, err
		})
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if thrown := e.ExceptionDetails.Exception; thrown != nil {
			text += ": " + thrown.Description
		}
		b.problems = append(b.problems, text)
	case *log.EventEntryAdded:
		has := func(status string) bool { return strings.Contains(e.Entry.Text, "status of "+status) }
		refused := slices.ContainsFunc([]string{"401", "412", "415", "422"}, has) ||
			slices.ContainsFunc([]string{"403", "409", "429", "503"}, has) && b.asks.Load() ||
			strings.Contains(e.Entry.Text, "net::ERR_") && b.broken.Load()
		if (e.Entry.Level == "error" || e.Entry.Level == "warning") && !refused {
			b.problems = append(b.problems, e.Entry.Text+" "+e.Entry.URL)
		}
	}
}

// settle waits for the page that the last step leads to. The page before stands until then, and may have the texts and
// fields that a test looks for.
func (b *tab) settle() {
	for end := time.Now().Add(patience); b.loading.Load() && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

// do takes steps in order. A step whose element was replaced between the search for it and the first
// touch is taken again: a page that redraws itself may do so at any time, and nothing was done yet.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	b.settle()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	for _, step := range steps {
		err := chromedp.Do(ctx, step)
		for replaced(err) && ctx.Err() == nil {
			err = chromedp.Do(ctx, step)
		}
		if err == nil {
			continue
		}
		ctx, cancel := context.WithTimeout(b.ctx, time.Second)
		defer cancel()
		text, _ := chromedp.Run(ctx,
			chromedp.Evaluate[string]("location.href + '\\n' + document.body.innerText")) // for the message only
		b.t.Fatalf("%v, on the page %s", err, text)
	}
}

// replaced reports whether the browser no longer has the element that a step found, or no place for it.
func replaced(err error) bool {
	if err == nil {
		return false
	}
	return errors.Is(err, chromedp.ErrInvalidDimensions) || slices.ContainsFunc([]string{
		"Could not find node with given id", "Node is detached from document",
		"Node does not have a layout object", "Could not compute content quads"},
		func(message string) bool { return strings.Contains(err.Error(), message) })
}

func (b *tab) open(path string) { b.t.Helper(); b.do(chromedp.Navigate(b.url + "/admin" + path)) }

// mouseClick clicks on what a selector finds. Scripts, fonts and pictures that come late move a page: a click while the
// element moves reaches nothing, also if it moves before the button is released, and is made again.
func mouseClick[S chromedp.Selectable](sel S) chromedp.Action[chromedp.Void] {
	// The function returns the middle of the element, as a click finds it, and watches the next click.
	const watch = `function() {
		const place = () => {
			const { x, y, width, height } = this.getClientRects()[0] ?? {};
			return [x + width / 2, y + height / 2];
		};
		const at = place(), kinds = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"];
		if (isNaN(at[0])) return at;
		const stop = (event) => {
			const moved = this.isConnected && String(place()) !== String(at);
			if (event.type === kinds[0]) this.moves = moved;
			if (event.type === "click" && !event.composedPath().includes(this)) this.moves ||= moved;
			if (this.moves) event.preventDefault(), event.stopImmediatePropagation();
			if (event.type === "click") this.missed();
		};
		for (const kind of kinds) addEventListener(kind, stop, true);
		this.moves = false;
		this.missed = () => (kinds.forEach((kind) => removeEventListener(kind, stop, true)), this.moves);
		return at;
	}`
	return func(ctx context.Context, t *chromedp.Target) (done chromedp.Void, err error) {
		for missed := true; missed; {
			nodes, err := chromedp.Nodes(sel, chromedp.NodeVisible)(ctx, t)
			if err != nil {
				return done, err
			}
			id := nodes[0].NodeID
			_, err = cdp.Call(ctx, t, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{NodeID: id})
			if err != nil {
				return done, err
			}
			element, err := cdp.Call(ctx, t, dom.ResolveNode, dom.ResolveNodeParams{NodeID: id})
			if err != nil {
				return done, err
			}
			this := func(p *runtime.CallFunctionOnParams) { p.ObjectID = element.Object.ObjectID }
			at, err := chromedp.CallFunctionOn[[]*float64](watch, this)(ctx, t)
			if err != nil {
				return done, err
			}
			if at[0] == nil { // not a number: nothing of it is shown
				return done, chromedp.ErrInvalidDimensions
			}
			if _, err := chromedp.MouseClickXY(*at[0], *at[1])(ctx, t); err != nil {
				return done, err
			}
			// The click may have led to another page.
			missed, _ = chromedp.CallFunctionOn[bool]("function() { return this.missed(); }", this)(ctx, t)
		}
		return done, nil
	}
}

// press clicks a button, a link or a summary by its text, inside of an XPath ("" is the page).
func (b *tab) press(inside, text string) {
	b.t.Helper()
	b.do(mouseClick(
		chromedp.Search(fmt.Sprintf(`(%s//*[self::button or self::a or self::summary][normalize-space()='%s'])[1]`,
			inside, text))))
}

// fill types into the field of a name, over its text.
func (b *tab) fill(name, text string) {
	b.t.Helper()
	if b.writesMarkdown(name) {
		b.write(name, text)
		return
	}
	field := fmt.Sprintf("main [name=%q]", name)
	b.do(chromedp.WaitVisible(chromedp.CSS(field)))
	eval[string](b, fmt.Sprintf("document.querySelector(%q).value = ''", field))
	b.do(chromedp.SendKeys(chromedp.CSS(field), text))
}

func (b *tab) check(name, value string) {
	b.t.Helper()
	b.do(mouseClick(chromedp.CSS(fmt.Sprintf("main input[type=checkbox][name=%q][value=%q]", name, value))))
}

func (b *tab) keys(keys string) { b.t.Helper(); b.do(chromedp.KeyEvent(keys)) }

// eval reads from the page; it waits out a page that is just being left.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	b.settle()
	var err error
	for end := time.Now().Add(patience); time.Now().Before(end); {
		var v T
		if v, err = chromedp.Run(b.ctx, chromedp.Evaluate[T](expression)); err == nil {
			return v
		}
	}
	b.t.Fatal(err)
	panic("unreachable")
}

// see waits for a text on a page that is loaded: before its style is there, keys find nothing to
// move to.
func (b *tab) see(text string) {
	b.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(patience); time.Now().Before(end); <-tick.C {
		page := eval[string](b,
			"document.readyState === 'complete' ? document.title + '\\n' + document.body.innerText : ''")
		if strings.Contains(page, text) && !b.loading.Load() {
			return
		}
	}
	b.t.Fatalf("there is no %q on %s", text, eval[string](b, "location.href + '\\n' + document.body.innerText"))
}

// focused waits until the element of an id has the focus, or the editor that stands for it.
func (b *tab) focused(id string) {
	b.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if b.focusID() == id {
			return
		}
	}
	b.t.Fatalf("the focus is on %s, not on %q", eval[string](b, "document.activeElement.outerHTML.slice(0, 200)"), id)
}

// focusID returns the id of the field with the focus.
func (b *tab) focusID() string {
	b.t.Helper()
	return eval[string](b,
		"document.activeElement.closest('.markdown-editor')?.previousElementSibling.id ?? document.activeElement.id")
}

// missing waits until a text is not on the page.
func (b *tab) missing(text string) {
	b.t.Helper()
	b.eventually(fmt.Sprintf("document.body.innerText.includes(%q)", text), "false")
}

// offers reports whether the page has a button of a text.
func (b *tab) offers(text string) bool {
	b.t.Helper()
	return eval[bool](b, fmt.Sprintf(
		`[...document.querySelectorAll("main button")].some((e) => e.innerText === %q)`, text))
}

// openTab signs in in a new tab and opens pages, one after the other.
func (s *site) openTab(paths ...string) *tab { s.t.Helper(); return s.openTabWith(true, paths...) }

// openPlainTab is openTab without JavaScript.
func (s *site) openPlainTab(paths ...string) *tab {
	s.t.Helper()
	return s.openTabWith(false, paths...)
}

// openTabWith is openTab with JavaScript or without.
func (s *site) openTabWith(scripts bool, paths ...string) *tab {
	s.t.Helper()
	b := s.newTab()
	if !scripts {
		b.withoutScripts()
	}
	return b.signIn(email, paths...)
}

// signIn gives the tab a new session of somebody and opens pages, one after the other, or Home. The page
// with the form of sign-in takes half a second more: only tests of that form fill it in.
func (b *tab) signIn(address string, paths ...string) *tab {
	b.t.Helper()
	b.take(address)
	if len(paths) == 0 {
		paths = []string{"/"}
	}
	for _, path := range paths {
		b.open(path)
	}
	return b
}

// setSession puts the token of a session into the browser.
func (b *tab) setSession(token string) {
	b.t.Helper()
	b.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, network.SetCookie, network.SetCookieParams{
			Name: "headless_session", Value: token, URL: b.url + "/admin", Path: "/admin", HTTPOnly: new(true)})
		return chromedp.Void{}, err
	})
}

func (b *tab) signOut() {
	b.t.Helper()
	b.do(mouseClick(chromedp.CSS("header summary")))
	b.press("//header", "Sign out")
}

// inject runs a script in each page that the tab opens, before those of the page.
func (b *tab) inject(script string) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		return err
	}))
}

// scheme makes the browser prefer a colour scheme.
func (b *tab) scheme(name string) {
	b.t.Helper()
	// A page that changes its colours little by little cannot be measured.
	b.prefers(&emulation.MediaFeature{Name: "prefers-color-scheme", Value: name},
		&emulation.MediaFeature{Name: "prefers-reduced-motion", Value: "reduce"})
}

// prefers makes the browser tell pages what people prefer.
func (b *tab) prefers(features ...*emulation.MediaFeature) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
		return err
	}))
}

// withoutScripts turns JavaScript off.
func (b *tab) withoutScripts() {
	b.t.Helper()
	b.plain = true
	b.disableScripts(true)
}

func (b *tab) disableScripts(disabled bool) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: disabled})
		return err
	}))
}
