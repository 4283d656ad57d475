package redirects

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// Maximum lengths, in bytes.
const (
	maxFrom = 800
	maxTo   = 2000
)

// Statuses lists the HTTP statuses that a redirect may have.
var Statuses = []int{
	http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect,
	http.StatusPermanentRedirect, http.StatusGone,
}

// Redirects are the redirects that editors make (extensions §8).
type Redirects struct {
	Store   *Store
	SiteURL string // configured URL of the service
}

// redirectInput is the body of a redirect's create and update.
type redirectInput struct {
	From   *string  `json:"from"`
	To     **string `json:"to"`
	Status *int     `json:"status"`
}

// List lists all redirects by from.
func (s *Redirects) List(ctx context.Context, p db.Paging) (db.Page[Redirect], error) {
	all, err := s.Store.All(ctx)
	return db.PageOf(all, p), err
}

// Former lists the former slugs of the entries that the user may read, by from, and where they lead.
func (s *Redirects) Former(ctx context.Context, p db.Paging) (db.Page[Listed], error) {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return db.Page[Listed]{}, err
	}
	g, err := s.Store.graph(ctx, site, s.SiteURL)
	if err != nil {
		return db.Page[Listed]{}, err
	}
	page := db.PageOf(g.formerRedirects(), p)
	page.Estimate = g.more
	return page, nil
}

// Get reads a redirect; NOT_FOUND when there is none.
func (s *Redirects) Get(ctx context.Context, id string) (Redirect, error) {
	d, err := docs(s.Store.DB).Get(ctx, id)
	return d.Value, input.NotFound(err, "redirect")
}

// Create adds a redirect; the default status is 301. Errors: VALIDATION_FAILED, with a problem at
// "to" for a loop; CONFLICT if another redirect has the same from, or if there are MaxRedirects
// already.
func (s *Redirects) Create(ctx context.Context, actor cms.Actor, body map[string]any) (Redirect, error) {
	in, p := input.Decode[redirectInput](body)
	return s.saveRedirect(ctx, actor, "", in, p, nil)
}

// Update changes a redirect. Errors: those of Create, NOT_FOUND, and the error of the precondition.
func (s *Redirects) Update(ctx context.Context, actor cms.Actor, id string, body map[string]any,
	ok input.Precondition[Redirect]) (Redirect, error) {
	in, p := input.Decode[redirectInput](body)
	return s.saveRedirect(ctx, actor, id, in, p, ok)
}

// saveRedirect applies the input to the redirect with the given id, or to a new one if id is "". known
// holds the problems that decoding the input found.
func (s *Redirects) saveRedirect(ctx context.Context, actor cms.Actor, id string, in redirectInput,
	known cms.Problems, ok input.Precondition[Redirect]) (Redirect, error) {
	var saved Redirect
	err := s.Store.Retry(ctx, func() error {
		g, err := s.graph(ctx)
		if err != nil {
			return err
		}
		saved = Redirect{Status: http.StatusMovedPermanently}
		was := g.byID(id)
		switch {
		case was != nil:
			saved = was.Value
			if err := ok.Check(saved); err != nil {
				return err
			}
		case id != "":
			return input.NotFound(db.ErrNotFound, "redirect")
		}
		in.applyTo(&saved)
		tx := s.Store.Begin()
		if err := g.stage(tx, actor, was, &saved, known); err != nil {
			return err
		}
		if was == nil || !isSame(saved, was.Value) {
			Note(tx, actor, saved.From)
		}
		return s.Store.Commit(ctx, tx)
	})
	return saved, err
}

// maxNoted is how many paths the event of a change names.
const maxNoted = 100

// Note raises the event of a change of the redirects from some paths (extensions §16).
func Note(tx *db.Tx, actor cms.Actor, from ...string) {
	tx.Event(actor, cms.EventRedirectsUpdated, "", struct {
		Count int      `json:"count"`
		From  []string `json:"from"`
	}{len(from), from[:min(len(from), maxNoted)]})
}

// graph reads all redirects and former slugs. It includes former slugs that the caller may not
// read, because they may close a loop.
func (s *Redirects) graph(ctx context.Context) (*graph, error) {
	ctx = cms.WithPermissions(ctx, nil)
	site, err := s.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	return s.Store.graph(ctx, site, s.SiteURL)
}

func (g *graph) byID(id string) *doc {
	for _, d := range g.own {
		if d.ID == id {
			return &d
		}
	}
	return nil
}

// stage checks a redirect and adds it to a transaction. was is nil for a new redirect. known holds
// the problems that decoding its input found.
func (g *graph) stage(tx *db.Tx, actor cms.Actor, was *doc, r *Redirect, known cms.Problems) error {
	event := "redirect.created"
	if was != nil {
		event = "redirect.updated"
		delete(g.own, was.Value.From)
		defer func() { g.own[was.Value.From] = *was }()
	}
	p := cms.Problems{}
	p.Merge(known)
	r.checkPaths(p)
	if len(p["to"]) == 0 && len(p["from"]) == 0 && r.To != nil && g.closes(r.From, *r.To) {
		p.Add("to", "leads back to %s: this would be a loop", cms.Shorten(r.From))
	}
	if err := p.Err(); err != nil {
		return err
	}
	if was == nil || r.From != was.Value.From {
		address := addressOf(r.From)
		if _, taken := g.ownAt(address); taken {
			return errTaken
		}
		requireFree(tx, was, address, r.From)
	}
	if was == nil {
		if len(g.own) >= MaxRedirects {
			return cms.Errorf(cms.CodeConflict,
				"There are already %d redirects, which is the maximum. Delete one first.", MaxRedirects)
		}
		if r.CreatedAt = tx.At(); r.ID == "" {
			r.ID = uuid.Must(uuid.NewV7()).String()
		}
	}
	r.UpdatedAt = tx.At()
	g.requireChain(tx, was, r)
	Put(tx, was, *r)
	tx.Activity(actor, event, "redirect "+r.From, r.ID)
	return nil
}

// applySaved updates the graph with a redirect that was stored.
func (g *graph) applySaved(was *doc, r Redirect) {
	d := doc{ID: r.ID, Version: 1, Value: r}
	if was != nil {
		delete(g.own, was.Value.From)
		d.Version = was.Version + 1
	}
	g.own[r.From] = d
}

// maxRequired is how many rows of the chain that follows a redirect its commit checks.
const maxRequired = 40

// requireChain makes the commit fail if a redirect of the chain that follows r was added or changed
// after the graph was read. Otherwise two concurrent saves could make a loop together.
func (g *graph) requireChain(tx *db.Tx, was *doc, r *Redirect) {
	seen, required := map[string]bool{}, 0
	for at := g.pathOf(r.Target()); at != "" && !seen[at] && required < maxRequired; at = g.pathOf(g.nextOf(at)) {
		seen[at] = true
		if d, ok := g.ownAt(at); ok {
			key := db.DocKey(docs(tx.DB).Kind, d.ID)
			tx.Require(key, d.Version)
			required++
			continue
		}
		required += requireFree(tx, was, at, "")
	}
}

// requireFree makes the commit fail if a redirect other than was leads from a path in the form of pathOf, in any
// spelling of the path except one. It returns how many rows it checks.
func requireFree(tx *db.Tx, was *doc, path, except string) (n int) {
	for _, name := range spellings(path) {
		if name != except && (was == nil || name != was.Value.From) {
			tx.RequireAbsent(db.NameKey(docs(tx.DB).Kind, name), db.ErrOvertaken)
			n++
		}
	}
	return n
}

// applyTo sets the fields of a redirect that the input holds. Status 410 removes the target, unless
// the input holds a target too.
func (in redirectInput) applyTo(r *Redirect) {
	r.From = findable(input.Given(in.From, r.From))
	r.Status = input.Given(in.Status, r.Status)
	switch {
	case in.To != nil:
		if r.To = *in.To; r.To != nil && *r.To == "" {
			r.To = nil
		}
	case r.Status == http.StatusGone:
		r.To = nil
	}
}

// checkPaths adds the problems of a redirect to p. It does not look at other redirects.
func (r *Redirect) checkPaths(p cms.Problems) {
	if len(p["from"]) == 0 {
		switch {
		case r.From == "":
			p.Add("from", "is required")
		case !isPath(r.From):
			p.Add("from", "must be a path that begins with /, without spaces and #")
		case len(r.From) > maxFrom:
			p.Add("from", "must have at most %d characters", maxFrom)
		}
	}
	if len(p["status"]) == 0 && !slices.Contains(Statuses, r.Status) {
		p.Add("status", "must be 301, 302, 307, 308 or 410")
	}
	if len(p["to"]) > 0 || len(p["status"]) > 0 {
		return
	}
	switch {
	case r.Status == http.StatusGone && r.To != nil:
		p.Add("to", "must be null with 410, which says that the page is gone")
	case r.Status == http.StatusGone:
	case r.To == nil:
		p.Add("to", "is required")
	case len(*r.To) > maxTo:
		p.Add("to", "must have at most %d characters", maxTo)
	case !isTarget(*r.To):
		p.Add("to", "must be a path that begins with /, or an http or https URL")
	}
}

// isPath reports whether s is a path of the site that a browser can request.
func isPath(s string) bool {
	return strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "//") &&
		!strings.ContainsAny(s, "#\\") && input.IsPlain(s)
}

func isTarget(s string) bool {
	u, err := url.Parse(s)
	if err != nil || !input.IsPlain(s) || strings.Contains(s, "\\") {
		return false
	}
	if strings.HasPrefix(s, "/") {
		return !strings.HasPrefix(s, "//")
	}
	return (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil
}

// Delete removes a redirect; NOT_FOUND when there is none.
func (s *Redirects) Delete(ctx context.Context, actor cms.Actor, id string) error {
	return s.Store.Retry(ctx, func() error {
		d, err := docs(s.Store.DB).Get(ctx, id)
		if err != nil {
			return input.NotFound(err, "redirect")
		}
		return s.remove(ctx, actor, d)
	})
}

func (s *Redirects) remove(ctx context.Context, actor cms.Actor, d doc) error {
	tx := s.Store.Begin()
	Drop(tx, d)
	tx.Activity(actor, "redirect.deleted", "redirect "+d.Value.From, d.ID)
	Note(tx, actor, d.Value.From)
	return s.Store.Commit(ctx, tx)
}
