package browser

import (
	_ "embed"
	"os"
	"testing"

	"github.com/chromedp/chromedp"

	"headless/pkg/must"
)

// audit is a function that lists the flaws of a page that has axe, by all rules or by some.
//
//go:embed audit.js
var audit string

// axe is the script of axe-core (https://github.com/dequelabs/axe-core), which scripts/tools/node.sh
// installs.
var axe string

func loadAxe() error {
	raw, err := os.ReadFile("../../.tools/axe/node_modules/axe-core/axe.min.js")
	axe = string(raw)
	return err
}

// audit fails the test for each flaw that audit.js finds on the page.
func (b *tab) audit(t *testing.T, where string) {
	t.Helper()
	b.auditBy(t, where, "")
}

// auditColours is audit by the rules of axe about colours only.
func (b *tab) auditColours(t *testing.T, where string) {
	t.Helper()
	b.auditBy(t, where, `["color-contrast", "link-in-text-block"]`)
}

func (b *tab) auditBy(t *testing.T, where, rules string) {
	t.Helper()
	if b.plain { // the audit waits for promises, which end only where scripts run
		b.disableScripts(false)
		defer b.disableScripts(true)
	}
	if !eval[bool](b, "'axe' in window") {
		b.do(chromedp.Evaluate[chromedp.Void](axe))
	}
	flaws, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string](audit+"("+rules+")", chromedp.EvalAwaitPromise))
	must.Do(t, err)
	for _, flaw := range flaws {
		t.Errorf("%s, %d wide: %s", where, eval[int](b, "innerWidth"), flaw)
	}
}
