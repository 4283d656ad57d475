package browser

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// TestPace prints how long people wait, beside the goals: for a page on a slow device and network,
// and for the paint of a key. `make bench-pages` runs it; it asserts no times,
// which depend on the machine.
func TestPace(t *testing.T) {
	if os.Getenv("BENCH_PAGES") == "" {
		t.Skip("BENCH_PAGES is not set")
	}
	s, at := desk(t)
	s.wideModel()
	for i := range 25 {
		s.call("POST", "/models/posts/entries", obj{"title": fmt.Sprint("Post ", i), "data": obj{"body": "Text."}})
	}

	b := s.openTab()
	t.Log("Key to paint in the Markdown editor, median and 95th percentile of 40 keys")
	for _, size := range []struct{ kb, goal int }{{1, 16}, {100, 16}, {800, 50}} {
		line := "Oil goes into the *wood*, and can be [renewed](/oil) at any time.\n\n"
		e := s.call("POST", "/models/posts/entries", obj{"title": "Long",
			"data": obj{"body": strings.Repeat(line, size.kb<<10/len(line)+1)}})
		b = s.copyOf(b) // the text typed before is still being saved
		b.open("/models/posts/entries/" + e["id"].(string))
		b.writesMarkdown("data.body")
		waits := b.keyToPaint("data.body", 40)
		t.Logf("%6d KB  %4.0f ms  %4.0f ms   goal %d ms", size.kb, waits[len(waits)/2], waits[len(waits)*95/100], size.goal)
	}

	b = s.openTab() // in another browser: the editors above are still at work
	b.slow()
	t.Log("Seen, and ready with all scripts, with an empty cache, a processor 4 times slower, 50 KB/s and 800 ms of " +
		"latency; goal 2,000 ms")
	for _, path := range []string{"/", "/models/posts/entries?all=true", at, "/models/wide/edit",
		"/models/wide/entries/create", "/media", "/planned", "/settings", "/users", "/activity", "/help"} {
		b.fresh()
		b.open(path)
		b.eventually("document.readyState", "complete")
		t.Logf("%5.0f ms  %5.0f ms  %3d KB  %s",
			eval[float64](b, `performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0`),
			eval[float64](b, `performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd`),
			b.transferred(), path)
		b.writesMarkdown("data.body") // what an editor still loads would delay the next page
	}
}

// wideModel makes a model of 60 fields.
func (s *site) wideModel() {
	s.t.Helper()
	var fields []obj
	for i := range 60 {
		fields = append(fields, obj{"name": fmt.Sprint("f", i), "type": "text"})
	}
	s.call("POST", "/models", obj{"slug": "wide", "name": "Wide", "fields": fields})
}

// keyToPaint types so many keys into the editor of a field, in the middle of its text, and gives
// how many milliseconds each waited for its frame, in order of length.
func (b *tab) keyToPaint(name string, keys int) []float64 {
	b.t.Helper()
	eval[bool](b, `(() => {
		window.waits = [];
		const content = `+editor(name)+`;
		content.addEventListener("keydown", ({ timeStamp }) => requestAnimationFrame(() => {
			const painted = new MessageChannel(); // answers behind the frame
			painted.port1.onmessage = () => waits.push(performance.now() - timeStamp);
			painted.port2.postMessage(0);
		}), true);
		content.focus();
		return true;
	})()`)
	for i := range keys {
		b.keys("a")
		b.eventually("String(waits.length)", fmt.Sprint(i+1))
	}
	waits := eval[[]float64](b, "waits")
	slices.Sort(waits)
	return waits
}

// withoutCache makes the tab load every file anew.
func (b *tab) withoutCache() {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, network.Enable, network.EnableParams{}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, t, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true})
		return err
	}))
}

// fresh makes the service take the browser for one that has no files of the pages yet.
func (b *tab) fresh() {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, network.DeleteCookies,
			network.DeleteCookiesParams{Name: "headless_files", URL: b.url + "/admin"})
		return err
	}))
}

// slow makes the tab that of a slow device on a slow network, with an empty cache.
func (b *tab) slow() {
	b.t.Helper()
	b.network(&network.Conditions{Latency: 800, DownloadThroughput: 50 << 10, UploadThroughput: 50 << 10})
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 4})
		return err
	}))
}

// network makes requests of the tab slow, with an empty cache.
func (b *tab) network(conditions *network.Conditions) {
	b.t.Helper()
	b.withoutCache()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, network.EmulateNetworkConditionsByRule,
			network.EmulateNetworkConditionsByRuleParams{
				MatchedNetworkConditions: []*network.Conditions{conditions}})
		return err
	}))
}
