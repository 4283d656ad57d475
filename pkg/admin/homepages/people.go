package homepages

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"headless/pkg/access"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/comments"
	"headless/pkg/db"
	"headless/pkg/db/logs"
	"headless/pkg/forms"
	"headless/pkg/index"
	"headless/pkg/rooms"
	"headless/pkg/site"
)

// PeopleRoutes returns the routes that find and erase what the service holds about a person.
func PeopleRoutes(st *rooms.Stores, written *comments.Comments, sent *forms.Submissions,
	invited *access.Invitations) []frame.Route {
	h := peopleHandlers{st, written, sent, invited}
	return []frame.Route{{Method: "GET", Pattern: "/people", Role: cms.RoleUserAdmin, Handle: h.find},
		{Method: "DELETE", Pattern: "/people", Role: cms.RoleUserAdmin, Handle: h.erase, Confirm: true}}
}

type peopleHandlers struct {
	st       *rooms.Stores
	comments *comments.Comments
	sent     *forms.Submissions
	invited  *access.Invitations
}

// person is what the service holds about an e-mail address.
type person struct {
	Users       []cms.User          `json:"users"`
	Submissions []sentForm          `json:"submissions"`
	Comments    []comments.Authored `json:"comments"`
	Activity    []db.Activity       `json:"activity"` // newest first, of actor and of the account
	Invitations []access.Invitation `json:"invitations"`
}

// sentForm is a submission of which a field holds the address.
type sentForm struct {
	Form string `json:"form"` // slug
	name string // of the form
	cms.Submission
}

// maxPersonLines is how many lines of the activity log are listed for a person.
const maxPersonLines = 1_000

// submissionPage is how many submissions are read at once.
const submissionPage = 200

func (h peopleHandlers) find(c *frame.Call) (frame.Result, error) {
	email := strings.TrimSpace(c.R.URL.Query().Get("email"))
	page := &ui.Page{Title: "People", List: &ui.List{Columns: []say.Text{"What", "Where", "When"},
		Empty:   "Enter an e-mail address to see what the service holds about it.",
		Filters: []ui.Field{{Name: "email", Label: "E-mail", Kind: "email", Value: email, Required: true}}}}
	if email == "" && !c.JSON {
		return frame.Result{Page: page}, nil
	}
	if !cms.ValidEmail(email) {
		return frame.Result{}, cms.Problems{"email": {"must be an e-mail address"}}.Err()
	}
	found, err := h.person(c.R.Context(), email)
	if err != nil {
		return frame.Result{}, err
	}
	for i := range found.Submissions {
		s := &found.Submissions[i]
		s.Fields = forms.ShownFields(&s.Submission, s.Form, c.A.Cfg.SiteURL)
	}
	page.List.Empty = "The service holds nothing about this address."
	page.List.Rows = found.rows(c.Site)
	if len(found.Users) == 0 && len(page.List.Rows) > 0 {
		page.List.Actions = []ui.Action{{Label: "Erase…", Method: "DELETE", Danger: true,
			Href:    ui.Base + "/people?email=" + url.QueryEscape(email),
			Confirm: say.F("Erase the submissions of {1}, and the address everywhere else? This cannot be undone.", email)}}
	}
	return frame.Result{Data: found, Page: page}, nil
}

func (p person) rows(now *site.Site) (rows []ui.Row) {
	add := func(what say.Text, where string, href string, at cms.Time) {
		rows = append(rows, ui.Row{Href: href, Cells: []ui.Cell{ui.Word(what), ui.Text(where), ui.When(at)}})
	}
	for _, u := range p.Users {
		add("Account", u.Email, ui.Base+"/users/"+u.ID, u.CreatedAt)
	}
	for _, v := range p.Invitations {
		add("Invitation", v.Email, ui.Base+"/invitations/"+v.ID, v.CreatedAt)
	}
	for _, s := range p.Submissions {
		add("Submission", s.name, ui.Base+"/forms/"+s.Form+"/submissions/"+s.ID, s.ReceivedAt)
	}
	for _, v := range p.Comments {
		add("Comment", now.ModelName(v.Model), ui.Base+ui.EntryPath(v.Model, v.Entry)+"/review#c-"+v.ID, v.CreatedAt)
	}
	for _, a := range p.Activity {
		add(say.F("Activity: {1}", a.Event), a.Subject, "", a.Time)
	}
	return rows
}

// person finds what the service holds about an address, ignoring case.
func (h peopleHandlers) person(ctx context.Context, email string) (person, error) {
	p := person{Users: []cms.User{}, Submissions: []sentForm{}, Activity: []db.Activity{},
		Invitations: []access.Invitation{}}
	users, err := h.st.Access.Users(ctx)
	if err != nil {
		return p, err
	}
	for _, u := range users.List {
		if strings.EqualFold(u.Email, email) {
			p.Users = append(p.Users, u.User)
			email = u.Email // as records name it
		}
	}
	invitations, err := h.st.Access.Invitations(ctx)
	if err != nil {
		return p, err
	}
	for _, v := range invitations {
		if strings.EqualFold(v.Email, email) {
			p.Invitations = append(p.Invitations, v)
		}
	}
	if p.Submissions, err = h.submissions(ctx, email); err != nil {
		return p, err
	}
	if p.Comments, err = h.comments.By(ctx, email); err != nil {
		return p, err
	}
	for name, value := range map[string]string{"actor": email, "subject": "user " + email} {
		q := logs.Query{Paging: db.Paging{Page: 1, PerPage: 100}, Filters: map[string]string{name: value}, Uncounted: true}
		for more := true; more && len(p.Activity) < maxPersonLines; more = q.Cursor != "" {
			lines, err := logs.Activity(ctx, h.st.DB, q)
			if err != nil {
				return p, err
			}
			for _, line := range lines.Items {
				if name == "actor" || line.Actor == nil || *line.Actor != email { // else listed already
					p.Activity = append(p.Activity, line)
				}
			}
			q.Cursor = lines.Next
		}
	}
	cms.Sort(p.Activity, func(a, b db.Activity) int { return b.Time.Compare(a.Time.Time) })
	return p, nil
}

// submissions finds the submissions of which a field is the address, form by form.
func (h peopleHandlers) submissions(ctx context.Context, email string) ([]sentForm, error) {
	list := []sentForm{}
	isEmail := func(f cms.SubmittedField) bool { return strings.EqualFold(strings.TrimSpace(f.Text()), email) }
	site, err := h.st.Site.Site(ctx)
	if err != nil {
		return nil, err
	}
	for _, form := range site.Forms {
		q := index.ListQuery{Paging: db.Paging{Page: 1, PerPage: submissionPage}}
		for more := true; more; more = q.Cursor != "" {
			page, err := h.st.Forms.Submissions(ctx, form.ID, q)
			if err != nil {
				return nil, err
			}
			for _, v := range page.Items {
				if slices.ContainsFunc(v.Fields, isEmail) {
					list = append(list, sentForm{form.Slug, form.Name, v.Submission})
				}
			}
			q.Cursor = page.Next
		}
	}
	return list, nil
}
