package frame

import (
	"bytes"
	"cmp"
	"fmt"
	"mime"
	"net/http"
	"path"

	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/web"
)

// filesCookie holds the version of the style sheets and scripts that the browser has cached.
const filesCookie = "headless_files"

// filesFor is the lifetime of filesCookie in seconds.
const filesFor = 365 * 24 * 3600

// render renders the whole page and sets its content security policy.
func (c *Call) render(page *ui.Page) ([]byte, error) {
	page.UseParts()
	c.noteOpened(page.Form)
	frame := ui.SignedIn
	if c.User == nil {
		frame = ui.Alone
	}
	t, err := c.A.Pages.Page(page.File(), frame, c.Language())
	if err != nil {
		return nil, fmt.Errorf("admin: the template of the page %s: %w", page.Title, err)
	}
	v := ui.View{Page: page, Site: siteName(c.A.cachedSite()), Lang: c.Language(),
		User: c.User, Role: say.Role(c.Role), Here: c.R.URL.Path, Tag: c.A.Pages.Tag, ID: c.RequestID,
		Done: ui.DoneWords(c.R.URL.Query().Get("ok")), Media: OriginOf(c.A.Cfg.MediaURL)}
	if c.User != nil {
		v.CSRF = csrf(c.Token)
		v.Menu, v.Guide = c.menu(), guideTo(c.R.URL.Path)
		c.offerUndo(page)
	}
	styles := "'self'"
	kept, err := c.R.Cookie(c.A.CookieName(filesCookie))
	forScript := c.R.Header.Get("Sec-Fetch-Dest") == "empty" // which takes a form out of the page
	if !forScript && (err != nil || kept.Value != v.Tag) {
		v.Fresh = true
		if c.User != nil { // only pages with the menu have the script that loads the files
			http.SetCookie(c.W, c.CookieFor(filesCookie, v.Tag, ui.Base, filesFor))
		}
		hash, err := v.UseSheet()
		if err != nil {
			return nil, err
		}
		styles += " " + hash
	}
	c.W.Header().Set("Content-Security-Policy",
		contentPolicy(styles, c.A.Cfg.MediaURL, page.UploadAddress(), page.Frame, page.SendsTo))
	if page.Frame != "" { // the site may also be in a window of its own, which talks to this page
		c.W.Header().Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups")
	}
	var buf bytes.Buffer
	err = t.Execute(&buf, v)
	return buf.Bytes(), err
}

// PreviewScript is the path of the script that sites load in their previews, at the root of the
// origin (extensions §5).
const PreviewScript = "/assets/preview.js"

func (a *Admin) previewScript(w http.ResponseWriter, r *http.Request) {
	r.SetPathValue("file", "preview.js")
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	a.asset(w, r)
}

// asset sends a style sheet, a script or the font. Its URL changes when its content does.
func (a *Admin) asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	in := cmp.Or(say.Of(r.URL.Query().Get("lang")), say.English)
	body, err := ui.Asset(name, in)
	if err != nil {
		a.NewCall(w, r).sendResult(Result{}, web.ErrNothing)
		return
	}
	h := w.Header()
	kind := mime.TypeByExtension(path.Ext(name))
	if name == ui.Font {
		kind = "font/woff2"
	}
	h.Set("Content-Security-Policy", a.csp)
	h.Set("Cache-Control", "no-cache")
	if name == ui.Font || r.URL.Query().Get("v") == a.Pages.Tag {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	x := web.Exchange{W: w, R: r}
	x.Send(http.StatusOK, kind, body)
}
