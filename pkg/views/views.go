package views

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/site"
	"headless/pkg/site/renames"
)

// maxViews is the maximum number of views of a model, over all users.
const maxViews = 500

var errManyViews = cms.Errorf(cms.CodeConflict,
	"This model already has %d views, which is the maximum. Delete one first.", maxViews)

// maxQuery is the maximum length of a view's parameters: all names and values together, in bytes.
const maxQuery = 1500

// maxName is the maximum length of a view's name, in characters.
const maxName = 80

// View is a saved view. Query maps names of list parameters to their values.
type View struct {
	ID        string            `json:"id"`
	Name      string            `json:"name"`
	Shared    bool              `json:"shared"`
	Query     map[string]string `json:"query"`
	UserID    string            `json:"user_id"`
	CreatedAt cms.Time          `json:"created_at"`
	UpdatedAt cms.Time          `json:"updated_at"`
}

// stored is a view with the generation of the model whose names of fields its query has.
type stored struct {
	View
	Gen int `json:"gen,omitempty"`
}

// Store keeps the views. It is safe for concurrent use.
type Store struct{ DB *db.DB }

// Of lists the views of a model that a user sees: the user's own views first, then shared views of
// others, each sorted by name. Parameters that the list refuses now are left out.
func (s *Store) Of(ctx context.Context, m *site.Model, userID string, ok checkQuery) ([]View, error) {
	all, err := docs(s.DB, m.ID).All(ctx)
	list := []View{}
	for _, d := range all {
		if d.Value.UserID == userID || d.Value.Shared {
			list = append(list, d.Value.renamed(m, ok))
		}
	}
	cms.Sort(list, func(a, b View) int {
		return cmp.Or(cms.CompareBool(a.UserID != userID, b.UserID != userID),
			strings.Compare(cms.NameOrder(a.Name), cms.NameOrder(b.Name)))
	})
	return list, err
}

// Get reads a view that a user sees, as Of does; NOT_FOUND when there is none.
func (s *Store) Get(ctx context.Context, m *site.Model, id string, by cms.User, ok checkQuery) (View, error) {
	d, err := s.doc(ctx, m.ID, id, by)
	return d.Value.renamed(m, ok), err
}

// renamed returns the view with the present names of fields in its query, without those that were removed and without
// parameters that ok refuses.
func (v stored) renamed(m *site.Model, ok checkQuery) View {
	names := func(list, before string) string {
		var keys []string
		for key := range strings.SplitSeq(list, ",") {
			path := strings.TrimPrefix(key, "-")
			if name, ok := strings.CutPrefix(path, before); ok && !strings.HasPrefix(name, ":") {
				now := m.RenamedSince(v.Gen, name)
				if renames.FieldAt(m.Fields, now) == nil {
					continue
				}
				key = strings.TrimSuffix(key, name) + now
			}
			keys = append(keys, key)
		}
		return strings.Join(keys, ",")
	}
	query := map[string]string{}
	for name, value := range v.Query {
		path, rest, filter := strings.Cut(name, "]")
		switch {
		case name == "columns":
			value = names(value, "")
		case name == "sort":
			value = names(value, "data.")
		case filter:
			path = names(path, "filter[data.")
			name = path + "]" + rest
		}
		p := cms.Problems{}
		if ok(p, map[string]string{name: value}); len(p) == 0 && (filter && path != "" || !filter && value != "") {
			query[name] = value
		}
	}
	v.Query = query
	return v.View
}

func (s *Store) doc(ctx context.Context, modelID, id string, by cms.User) (db.Doc[stored], error) {
	d, err := docs(s.DB, modelID).Get(ctx, id)
	if err == nil && d.Value.UserID != by.ID && !d.Value.Shared {
		err = db.ErrNotFound
	}
	return d, input.NotFound(err, "view")
}

// MayChange reports whether a user may change a view.
func (v View) MayChange(by cms.User) bool {
	return v.UserID == by.ID || v.Shared && by.Role == cms.RoleUserAdmin
}

var errTaken = cms.Errorf(cms.CodeConflict, "You already have a view of this name.")

// checkQuery adds problems with a view's list parameters to p. The caller provides it, because this
// package does not know the parameters.
type checkQuery = func(p cms.Problems, query map[string]string)

// Create saves a new view. If the user already has a view of that name, Create changes that view
// when replace is set, and returns CONFLICT otherwise.
func (s *Store) Create(ctx context.Context, actor cms.Actor, by cms.User, m *site.Model,
	body map[string]any, replace bool, ok checkQuery) (View, error) {
	var v View
	err := s.DB.Retry(ctx, func() error {
		all, err := docs(s.DB, m.ID).All(ctx)
		if err != nil {
			return err
		}
		v = View{UserID: by.ID, Query: map[string]string{}}
		p := input.Apply(body, &v, "user_id")
		v.checkQuery(p, ok)
		if err := p.Err(); err != nil {
			return err
		}
		same := slices.IndexFunc(all, func(d db.Doc[stored]) bool {
			return d.Value.UserID == by.ID && d.Value.Name == v.Name
		})
		switch {
		case same >= 0 && !replace:
			return errTaken
		case same >= 0:
			v.ID, v.CreatedAt = all[same].Value.ID, all[same].Value.CreatedAt
			return s.putView(ctx, actor, m, all[same], &v)
		}
		tx := s.DB.Begin()
		docs(s.DB, m.ID).Limit(tx, maxViews, errManyViews)
		v.ID, v.CreatedAt, v.UpdatedAt = uuid.Must(uuid.NewV7()).String(), tx.At(), tx.At()
		docs(s.DB, m.ID).Create(tx, v.ID, stored{v, m.Gen}, db.ErrOvertaken)
		docs(s.DB, m.ID).ReserveName(tx, v.reserved(m.ID), v.ID, db.ErrOvertaken)
		tx.Activity(actor, "view.created", "view "+v.Name, v.ID)
		return s.DB.Commit(ctx, tx)
	})
	return v, err
}

// Update changes a view.
func (s *Store) Update(ctx context.Context, actor cms.Actor, by cms.User, m *site.Model, id string,
	body map[string]any, ok checkQuery) (View, error) {
	var v View
	err := s.DB.Retry(ctx, func() error {
		d, err := s.mine(ctx, m.ID, id, by)
		if err != nil {
			return err
		}
		v = d.Value.renamed(m, ok)
		p := input.Apply(body, &v, "user_id")
		v.checkQuery(p, ok)
		if err := p.Err(); err != nil {
			return err
		}
		all, err := docs(s.DB, m.ID).All(ctx)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(all, func(other db.Doc[stored]) bool {
			return other.ID != id && other.Value.UserID == v.UserID && other.Value.Name == v.Name
		}) {
			return errTaken
		}
		return s.putView(ctx, actor, m, d, &v)
	})
	return v, err
}

func (s *Store) putView(ctx context.Context, actor cms.Actor, m *site.Model, was db.Doc[stored], v *View) error {
	tx := s.DB.Begin()
	if before := was.Value.reserved(m.ID); before != v.reserved(m.ID) {
		docs(s.DB, m.ID).FreeName(tx, before)
		docs(s.DB, m.ID).ReserveName(tx, v.reserved(m.ID), v.ID, db.ErrOvertaken)
	}
	v.UpdatedAt = tx.At()
	was.Value = stored{*v, m.Gen}
	docs(s.DB, m.ID).Update(tx, was)
	tx.Activity(actor, "view.updated", "view "+v.Name, v.ID)
	return s.DB.Commit(ctx, tx)
}

// Delete removes a view.
func (s *Store) Delete(ctx context.Context, actor cms.Actor, by cms.User, modelID, id string) error {
	return s.DB.Retry(ctx, func() error {
		d, err := s.mine(ctx, modelID, id, by)
		if err != nil {
			return err
		}
		tx := s.DB.Begin()
		docs(s.DB, modelID).Delete(tx, d)
		docs(s.DB, modelID).FreeName(tx, d.Value.reserved(modelID))
		tx.Activity(actor, "view.deleted", "view "+d.Value.Name, id)
		return s.DB.Commit(ctx, tx)
	})
}

// reserved is the name that a view reserves, so that a user does not get two views of one name at the same time.
func (v View) reserved(modelID string) string { return db.NameDigest(modelID, v.UserID, v.Name) }

// mine reads a view that the user may change; FORBIDDEN if the user may only see it.
func (s *Store) mine(ctx context.Context, modelID, id string, by cms.User) (db.Doc[stored], error) {
	d, err := s.doc(ctx, modelID, id, by)
	if err == nil && !d.Value.MayChange(by) {
		err = cms.Errorf(cms.CodeForbidden, "Only admins and the user who shared this view may change it.")
	}
	return d, err
}

func (v *View) checkQuery(p cms.Problems, ok checkQuery) {
	v.Name = strings.TrimSpace(v.Name)
	if v.Query == nil {
		v.Query = map[string]string{}
	}
	p.Require("name", v.Name)
	p.LimitLength("name", v.Name, maxName)
	size := 0
	for name, value := range v.Query {
		size += len(name) + len(value)
	}
	if size > maxQuery {
		p.Add("query", "must have at most %d bytes", maxQuery)
	} else if len(p["query"]) == 0 {
		ok(p, v.Query)
	}
}
