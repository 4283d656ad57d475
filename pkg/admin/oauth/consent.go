package oauth

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"headless/pkg/access"
	"headless/pkg/access/grants"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
)

// Routes returns the routes of the consent and of the grants of a user.
func Routes(sessions *access.Sessions, held *grants.Grants) []frame.Route {
	h := handlers{sessions, held}
	return []frame.Route{
		// The page asks for the confirmation first: the policy of the page that would ask after it keeps browsers
		// from going on to the program.
		{Method: "GET", Pattern: "/grants/authorize", Role: cms.RoleViewer, Handle: h.askConsent, Confirm: true},
		{Method: "POST", Pattern: "/grants/authorize", Role: cms.RoleViewer, Handle: frame.WithBody(h.decide), Confirm: true},
		{Method: "GET", Pattern: "/grants", Role: cms.RoleViewer, Handle: h.list},
		{Method: "DELETE", Pattern: "/grants/{id}", Role: cms.RoleViewer, Handle: h.endGrant},
	}
}

type handlers struct {
	sessions *access.Sessions
	grants   *grants.Grants
}

// request is what a program asks for (RFC 6749 §4.1.1).
type request struct {
	program   grants.Program
	redirect  string
	state     string
	challenge string
	level     grants.Level // that is chosen on the page at first
}

// sentBack is an error that the program is told of at an address.
type sentBack struct{ to string }

func (*sentBack) Error() string { return "the program is told" }

var challenge = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)
})

// readRequest checks the request of a program. Errors: *sentBack; *grants.Refusal if the program or
// its address is unknown, so that nobody can be told.
func readRequest(ctx context.Context, held *grants.Grants, siteURL string, q url.Values) (req request, err error) {
	if repeats(q) {
		return req, &grants.Refusal{Code: "invalid_request", Text: "The address has a parameter twice."}
	}
	if req.program, err = held.Program(ctx, q.Get("client_id")); err != nil {
		return req, err
	}
	req.redirect, req.state = q.Get("redirect_uri"), q.Get("state")
	if req.redirect == "" && len(req.program.Redirects) == 1 {
		req.redirect = req.program.Redirects[0]
	}
	if !req.program.MayRedirect(req.redirect) {
		return req, &grants.Refusal{Code: "invalid_request",
			Text: "The address to return to (redirect_uri) is none of those of the program."}
	}
	req.challenge = q.Get("code_challenge")
	var refused *grants.Refusal
	switch {
	case q.Get("response_type") != "code":
		refused = &grants.Refusal{Code: "unsupported_response_type", Text: "response_type must be code."}
	case !challenge().MatchString(req.challenge) || q.Get("code_challenge_method") != "S256":
		refused = &grants.Refusal{Code: "invalid_request",
			Text: "code_challenge with the code_challenge_method S256 is required."}
	default:
		errors.As(checkResource(q, siteURL), &refused)
	}
	if refused != nil {
		return req, &sentBack{req.answerURL(siteURL, "error", refused.Code, "error_description", refused.Text)}
	}
	req.level = grants.LevelRead
	for _, scope := range strings.Fields(q.Get("scope")) {
		if level := grants.Level(scope); slices.Index(grants.Levels, level) > slices.Index(grants.Levels, req.level) {
			req.level = level
		}
	}
	return req, nil
}

// answerURL returns the address that gives the program the answer, with names and values.
func (r request) answerURL(siteURL string, pairs ...string) string {
	q := url.Values{"iss": {siteURL}} // RFC 9207
	if r.state != "" {
		q.Set("state", r.state)
	}
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	separator := "?"
	if strings.Contains(r.redirect, "?") {
		separator = "&"
	}
	return r.redirect + separator + q.Encode()
}

// consentView is the page of the consent.
type consentView struct {
	Name   string
	Host   string // that the browser returns to
	Local  bool   // Host is the user's own machine
	ID     string // address of the metadata of the program, "" if it registered itself
	Level  string
	Levels []level
	Hidden []ui.Field
}

// level is a level as the page shows it.
type level struct {
	Value       string
	Label, Help say.Text
}

var levels = []level{
	{string(grants.LevelRead), "Read", "Read content, drafts too, and files."},
	{string(grants.LevelDraft), "Draft",
		"Also write drafts, upload files, make preview links and comment. Visitors see none of it."},
	{string(grants.LevelPublish), "Publish", "Also publish entries. Where a review is required, it asks for one."},
}

// asked are the parameters that the page passes on.
var asked = []string{"response_type", "client_id", "redirect_uri", "state", "code_challenge", "code_challenge_method",
	"scope", "resource"}

func (h handlers) askConsent(c *frame.Call) (frame.Result, error) {
	q := c.R.URL.Query()
	req, err := readRequest(c.R.Context(), h.grants, c.A.Cfg.SiteURL, q)
	if err != nil {
		return answerRefusal(c, err)
	}
	to, err := url.Parse(req.redirect)
	if err != nil {
		return frame.Result{}, err
	}
	v := consentView{Name: req.program.Name, Host: to.Host, Local: to.Scheme == "http", Level: string(req.level),
		Levels: levels}
	v.Host = cmp.Or(v.Host, to.Scheme)
	if grants.IsAddress(req.program.ID) {
		v.ID = req.program.ID
	}
	for _, name := range asked {
		for _, value := range q[name] {
			v.Hidden = append(v.Hidden, ui.Field{Name: name, Value: value})
		}
	}
	data := map[string]any{"name": v.Name, "client_id": req.program.ID, "redirect_uri": req.redirect, "scope": req.level}
	page := &ui.Page{Title: "Allow a program", Template: "consent", Custom: v, SendsTo: "https: " + to.Scheme + ":"}
	return frame.Result{Data: data, Page: page}, nil
}

// answerRefusal tells the program, or the user if the program cannot be told.
func answerRefusal(c *frame.Call, err error) (frame.Result, error) {
	if back, ok := errors.AsType[*sentBack](err); ok {
		return sendTo(c, back.to), nil
	}
	if r, ok := errors.AsType[*grants.Refusal](err); ok {
		err = cms.Errorf(cms.CodeBadRequest, "%s", r.Text)
	}
	return frame.Result{}, err
}

// sendTo sends the browser to the program.
func sendTo(c *frame.Call, to string) frame.Result {
	if c.JSON {
		return frame.Result{Data: map[string]any{"redirect_to": to}}
	}
	return frame.Result{Status: http.StatusFound, Header: http.Header{"Location": {to}}}
}

func (h handlers) decide(c *frame.Call, body map[string]any) (frame.Result, error) {
	q := url.Values{}
	if c.IsForm {
		q = c.Form
	}
	for name, v := range body {
		if text, ok := v.(string); ok {
			q.Set(name, text)
		}
	}
	req, err := readRequest(c.R.Context(), h.grants, c.A.Cfg.SiteURL, q)
	if err != nil {
		return answerRefusal(c, err)
	}
	if q.Get("decision") != "allow" {
		return sendTo(c, req.answerURL(c.A.Cfg.SiteURL, "error", "access_denied")), nil
	}
	chosen := grants.Level(q.Get("level"))
	if !slices.Contains(grants.Levels, chosen) {
		return frame.Result{}, cms.Problems{"level": {"must be read, draft or publish"}}.Err()
	}
	code := ""
	err = h.sessions.Store.Retry(c.R.Context(), func() error {
		session, user, err := h.sessions.Owner(c.R.Context(), c.Token)
		if err != nil {
			return err
		}
		if session.Hash == "" {
			return cms.Errorf(cms.CodeForbidden, "An access token cannot allow programs. Sign in instead.")
		}
		code, err = h.grants.Approve(c.R.Context(), c.Actor(), grants.Consent{Program: req.program, Level: chosen,
			Redirect: req.redirect, Named: q.Get("redirect_uri") != "", Challenge: req.challenge, UserID: user.ID,
			Resets: user.Resets,
			Strong: session.Strong, Also: func(tx *db.Tx) { access.PutFactors(tx, user) }})
		return err
	})
	if err != nil {
		return frame.Result{}, err
	}
	return sendTo(c, req.answerURL(c.A.Cfg.SiteURL, "code", code)), nil
}

func (h handlers) list(c *frame.Call) (frame.Result, error) {
	page := &ui.Page{Title: "Allowed programs", Crumbs: frame.OfProfile(), List: &ui.List{
		Columns: []say.Text{"Program", "May", "Allowed", "Last used", "Ends"},
		Empty:   "You have allowed no program to use the service in your name."}}
	read := func(p db.Paging) (db.Page[grants.Grant], error) {
		held, err := h.grants.List(c.R.Context(), c.User.ID)
		return db.PageOf(held, p), err
	}
	return frame.Table(c, page, read, func(g grants.Grant) ui.Row {
		return ui.Row{Cells: []ui.Cell{ui.Text(g.Name), ui.Badge(say.Known(string(g.Scope))), ui.When(g.CreatedAt),
			ui.When(g.LastUsedAt), ui.When(g.ExpiresAt)},
			Actions: []ui.Action{{Label: "End", Method: http.MethodDelete, Href: ui.Base + "/grants/" + g.ID, Danger: true,
				Confirm: say.F("End the access of “{1}”?", g.Name)}}}
	})
}

func (h handlers) endGrant(c *frame.Call) (frame.Result, error) {
	err := h.grants.Delete(c.R.Context(), c.Actor(), c.User.ID, c.R.PathValue("id"))
	return frame.Result{Status: http.StatusNoContent, Redirect: "/grants?ok=done"}, err
}
