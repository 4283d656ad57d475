package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tree lists the rows of a page of a tree.
const tree = `[...document.querySelectorAll("tr[data-level] a.row")].map(e => e.textContent).join(", ")`

// pages makes a model with a tree of five published pages, and opens its page.
func pages(t *testing.T) (*tab, map[string]string) {
	t.Helper()
	s := newSite(t)
	s.call("POST", "/models", obj{"slug": "pages", "name": "Pages", "tree": true, "url": "/{path}"})
	ids := map[string]string{}
	for i, p := range [][2]string{{"Firm", ""}, {"Jobs", "Firm"}, {"Dev", "Jobs"}, {"Team", "Firm"}, {"News", ""}} {
		body := obj{"title": p[0], "status": "published", "position": i}
		if p[1] != "" {
			body["parent"] = ids[p[1]]
		}
		ids[p[0]] = s.made("/models/pages/entries", body)
	}
	b := s.openTab("/models/pages/tree")
	b.eventually(tree, "Firm, — Jobs, — — Dev, — Team, News")
	b.eventually("String(document.querySelector('tbody tr').offsetHeight)", "36")
	return b, ids
}

func handleOf(id string) string { return fmt.Sprintf("tr[data-id='%s'] .drag", id) }

// TestBrowserTree moves pages by keys: among those beside them at once, below others after a question.
func TestBrowserTree(t *testing.T) {
	b, ids := pages(t)
	b.look(t, "the tree")
	b.do(chromedp.Focus(chromedp.CSS(handleOf(ids["Team"]))))
	b.keys(kb.ArrowUp)
	b.eventually(tree, "Firm, — Team, — Jobs, — — Dev, News")
	b.see("Team is number 1 of 2 below Firm.")
	b.eventually("document.activeElement.closest('tr').dataset.id", ids["Team"])
	b.keys(kb.ArrowUp)
	b.see("Team cannot go further there.")
	b.keys(kb.ArrowDown)
	b.eventually(tree, "Firm, — Jobs, — — Dev, — Team, News")

	b.do(chromedp.Focus(chromedp.CSS(handleOf(ids["Jobs"]))))
	b.keys(kb.ArrowLeft)
	b.see("Move Jobs at the top?")
	b.see("2 addresses change. The former ones will lead to them: /firm/jobs, /firm/jobs/dev")
	b.look(t, "the question")
	b.keys(kb.Escape)
	b.see("It was not moved.")
	b.eventually(tree, "Firm, — Jobs, — — Dev, — Team, News")
	b.keys(kb.ArrowLeft)
	b.see("Move Jobs at the top?")
	b.enter()
	b.eventually(tree, "Firm, — Team, Jobs, — Dev, News")
	b.see("/jobs/dev")
	b.keys(kb.ArrowDown)
	b.see("Jobs is number 3 of 3 at the top.")
	b.keys(kb.ArrowRight)
	b.see("Move Jobs below News?")
	b.enter()
	b.eventually(tree, "Firm, — Team, News, — Jobs, — — Dev")
	b.see("Jobs is number 1 of 1 below News.")
	b.press("//main", "Undo")
	b.eventually(tree, "Firm, — Team, News, Jobs, — Dev")
	b.missing("Undo")
}

// TestBrowserTreeDragged drags a page with the one below it to the end, and then to the side.
func TestBrowserTreeDragged(t *testing.T) {
	b, ids := pages(t)
	_, from := b.middle(handleOf(ids["Jobs"]))
	_, to := b.middle(handleOf(ids["News"]))
	b.drag(handleOf(ids["Jobs"]), "tbody", -40, to-from+10)
	b.see("2 addresses change.")
	b.press("//dialog", "Move")
	b.eventually(tree, "Firm, — Team, News, Jobs, — Dev")
	b.see("Jobs is number 3 of 3 at the top.")
	b.drag(handleOf(ids["Jobs"]), "tbody", 40, 0)
	b.see("Move Jobs below News?")
	b.press("//dialog", "Cancel")
	b.eventually(tree, "Firm, — Team, News, Jobs, — Dev")
}

// TestBrowserTreeTouched drags a page by a finger.
func TestBrowserTreeTouched(t *testing.T) {
	b, ids := pages(t)
	b.touch()
	b.do(chromedp.Reload())
	b.eventually(tree, "Firm, — Jobs, — — Dev, — Team, News")
	_, from := b.middle(handleOf(ids["Jobs"]))
	_, to := b.middle(handleOf(ids["News"]))
	b.dragByFinger(handleOf(ids["Jobs"]), "tbody", -40, to-from+10)
	b.press("//dialog", "Move")
	b.eventually(tree, "Firm, — Team, News, Jobs, — Dev")
}

// TestBrowserTreeOffline moves an entry while the service cannot be reached: the page says so, and shows the tree as
// it is stored.
func TestBrowserTreeOffline(t *testing.T) {
	b, ids := pages(t)
	b.pointAt(handleOf(ids["Team"]), "tbody")
	b.broken.Store(true)
	b.down.Store(true)
	b.drag(handleOf(ids["Team"]), "tbody", 0, -80)
	b.see("Team: The service cannot be reached.")
	b.eventually(tree, "Firm, — Jobs, — — Dev, — Team, News")
	b.down.Store(false)
	b.do(chromedp.Focus(chromedp.CSS(handleOf(ids["Team"]))))
	b.keys(kb.ArrowUp)
	b.eventually(tree, "Firm, — Team, — Jobs, — — Dev, News")
}

// TestBrowserTreeDraggedMeanwhile drags an entry while the move of another one is saved: each of the two
// stays in its new place.
func TestBrowserTreeDraggedMeanwhile(t *testing.T) {
	b, ids := pages(t)
	x, y := b.pointAt(handleOf(ids["Jobs"]), "tbody")
	b.delay.Store(500)
	b.do(chromedp.Focus(chromedp.CSS(handleOf(ids["News"]))))
	b.keys(kb.ArrowUp)
	b.pull(x, y, 0, 45)
	over := func() {
		b.over("tbody", x, y+45, func(x, y float64) { b.mouse(input.DispatchMouseEventTypeMouseMoved, x, y) })
	}
	over()
	asked := b.asked.Load()
	b.until("the tree is read again", func() bool { return b.asked.Load() > asked })
	b.delay.Store(0)
	b.until("the answer is there", func() bool {
		return eval[bool](b, `performance.getEntriesByType("resource").some((e) => e.name.endsWith("?ok=saved"))`)
	})
	over()
	b.mouse(input.DispatchMouseEventTypeMouseReleased, x, y+45)
	b.eventually(tree, "News, Firm, — Team, — Jobs, — — Dev")
}

// TestBrowserTreeScrolls drags an entry to the lower edge of a low window, which scrolls the page to the places below.
func TestBrowserTreeScrolls(t *testing.T) {
	b, ids := pages(t)
	b.do(chromedp.EmulateViewport(1280, 300))
	eval[bool](b, "scrollTo(0, 0), true")
	x, y := b.pointAt(handleOf(ids["Firm"]), "tbody")
	b.pull(x, y, 0, 295-y)
	nudge := 0.0
	b.until("the page is scrolled", func() bool {
		nudge = 1 - nudge
		b.mouse(input.DispatchMouseEventTypeMouseMoved, x, 295+nudge)
		return eval[float64](b, "scrollY") > 0
	})
	b.mouse(input.DispatchMouseEventTypeMouseReleased, x, 295)
}
