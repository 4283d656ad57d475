package service

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/store"
)

// maxName is the length of names, in characters (decisions §9).
const maxName = 255

// Users are the accounts of the admin area.
type Users struct {
	Store     *store.Store
	Passwords *Passwords
}

// userInput is the body of a user's create and update.
type userInput struct {
	Email    *string `json:"email"`
	Name     *string `json:"name"`
	Role     *string `json:"role"`
	IsActive *bool   `json:"is_active"`
	Password *string `json:"password"`
}

var errEmailTaken = cms.Errorf(cms.CodeConflict, "Another user has this e-mail address.")

// List lists all users by e-mail address.
func (u *Users) List(ctx context.Context, p store.Paging) (store.Page[cms.User], error) {
	users, err := u.Store.Users(ctx)
	if err != nil {
		return store.Page[cms.User]{}, err
	}
	list := make([]cms.User, 0, len(users.List))
	for _, user := range users.List {
		list = append(list, user.User)
	}
	slices.SortFunc(list, func(a, b cms.User) int { return strings.Compare(strings.ToLower(a.Email), strings.ToLower(b.Email)) })
	return store.PageOf(list, p), nil
}

// Get reads a user; NOT_FOUND when there is none.
func (u *Users) Get(ctx context.Context, id string) (cms.User, error) {
	user, err := u.Store.User(ctx, id)
	return user.User, notFound(err, "user")
}

// notFound gives store.ErrNotFound the words of a client's error.
func notFound(err error, what string) error {
	if errors.Is(err, store.ErrNotFound) {
		return cms.Errorf(cms.CodeNotFound, "There is no such %s.", what)
	}
	return err
}

// Create makes a user; the role is viewer where it is left out. CONFLICT when the address is taken in any case of its letters.
func (u *Users) Create(ctx context.Context, actor cms.Actor, body map[string]any) (cms.User, error) {
	var in userInput
	p := cms.Problems{}
	decodeInput(body, &in, p)
	now := u.Store.Now()
	user := store.User{User: cms.NewUser()}
	user.ID, user.CreatedAt, user.UpdatedAt = uuid.NewString(), now, now
	if in.Role != nil && *in.Role == "" {
		in.Role = nil
	}
	in.apply(&user, p)
	if in.Password == nil && len(p["password"]) == 0 {
		p.Add("password", "is required")
	}
	if err := p.Err(); err != nil {
		return cms.User{}, err
	}
	var err error
	if user.PasswordHash, err = u.Passwords.hash(ctx, *in.Password); err != nil {
		return cms.User{}, err
	}
	err = u.Store.Retry(ctx, func() error {
		users, err := u.Store.Users(ctx)
		if err != nil {
			return err
		}
		return u.commitNew(ctx, actor, users, user)
	})
	return user.User, err
}

func (u *Users) commitNew(ctx context.Context, actor cms.Actor, users store.Users, user store.User) error {
	tx := u.Store.Begin()
	tx.PutUser(users, user, errEmailTaken)
	tx.Event(cms.EventUserCreated, "", struct {
		ID    string       `json:"id"`
		Email string       `json:"email"`
		Name  string       `json:"name"`
		Role  cms.UserRole `json:"role"`
	}{user.ID, user.Email, user.Name, user.Role})
	tx.Activity(actor, "user.created", "user "+user.Email)
	return u.Store.Commit(ctx, tx)
}

// apply changes a user as the input says and reports what is wrong with the result.
func (in *userInput) apply(user *store.User, p cms.Problems) {
	user.Email = given(in.Email, user.Email)
	user.Name = given(in.Name, user.Name)
	user.Role = cms.UserRole(given(in.Role, string(user.Role)))
	user.IsActive = given(in.IsActive, user.IsActive)
	switch {
	case len(p["email"]) > 0:
	case user.Email == "":
		p.Add("email", "is required")
	case !cms.ValidEmail(user.Email):
		p.Add("email", "must be an e-mail address")
	}
	if utf8.RuneCountInString(user.Name) > maxName {
		p.Add("name", "must have at most %d characters", maxName)
	}
	if user.Role != cms.RoleUserAdmin && user.Role != cms.RoleEditor && user.Role != cms.RoleViewer {
		p.Add("role", "must be admin, editor or viewer")
	}
	if in.Password == nil {
		return
	}
	if n := utf8.RuneCountInString(*in.Password); n < MinPassword || n > MaxPassword {
		p.Add("password", "must have %d to %d characters", MinPassword, MaxPassword)
	}
}

// Update changes a user. A new password and deactivation end the user's sessions. CONFLICT when it would leave no active admin.
func (u *Users) Update(ctx context.Context, actor cms.Actor, id string, body map[string]any, ok Precondition[cms.User]) (cms.User, error) {
	var in userInput
	p := cms.Problems{}
	decodeInput(body, &in, p)
	return u.update(ctx, actor, id, in, p, ok, func(store.User, *store.Tx) {})
}

// update commits an input with what also adds to the transaction, unless there are problems.
func (u *Users) update(
	ctx context.Context, actor cms.Actor, id string, in userInput, p cms.Problems, ok Precondition[cms.User], also func(user store.User, tx *store.Tx),
) (cms.User, error) {
	var hash string
	if in.Password != nil && len(p) == 0 && utf8.RuneCountInString(*in.Password) <= MaxPassword {
		var err error
		if hash, err = u.Passwords.hash(ctx, *in.Password); err != nil {
			return cms.User{}, err
		}
	}
	var result cms.User
	err := u.change(ctx, id, func(users store.Users, user store.User, tx *store.Tx) error {
		was := user.User
		if err := ok.check(was); err != nil {
			return err
		}
		problems := cms.Problems{}
		problems.Merge(p)
		in.apply(&user, problems)
		if err := problems.Err(); err != nil {
			return err
		}
		if in.Password != nil {
			user.PasswordHash = hash
		}
		if in.Password != nil || was.IsActive && !user.IsActive {
			user.Epoch++
		}
		user.UpdatedAt = tx.At()
		if err := keepsAdmin(users, user); err != nil {
			return err
		}
		tx.PutUser(users, user, errEmailTaken)
		tx.Activity(actor, "user.updated", "user "+user.Email)
		also(user, tx)
		result = user.User
		return nil
	})
	return result, err
}

// Delete removes a user, whose sessions end. CONFLICT for the last active admin.
func (u *Users) Delete(ctx context.Context, actor cms.Actor, id string) error {
	return u.change(ctx, id, func(users store.Users, user store.User, tx *store.Tx) error {
		gone := user
		gone.IsActive = false
		if err := keepsAdmin(users, gone); err != nil {
			return err
		}
		tx.DeleteUser(users, user)
		tx.Activity(actor, "user.deleted", "user "+user.Email)
		return nil
	})
}

func (u *Users) change(ctx context.Context, id string, use func(users store.Users, user store.User, tx *store.Tx) error) error {
	return u.Store.Retry(ctx, func() error {
		users, err := u.Store.Users(ctx)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(users.List, func(user store.User) bool { return user.ID == id })
		if i < 0 {
			return notFound(store.ErrNotFound, "user")
		}
		tx := u.Store.Begin()
		if err := use(users, users.List[i], tx); err != nil {
			return err
		}
		return u.Store.Commit(ctx, tx)
	})
}

// keepsAdmin refuses a change that leaves nobody to administer the site.
func keepsAdmin(users store.Users, changed store.User) error {
	isAdmin := func(user store.User) bool { return user.IsActive && user.Role == cms.RoleUserAdmin }
	if isAdmin(changed) {
		return nil
	}
	wasAdmin, others := false, false
	for _, user := range users.List {
		if user.ID == changed.ID {
			wasAdmin = isAdmin(user)
		} else if isAdmin(user) {
			others = true
		}
	}
	if wasAdmin && !others {
		return cms.Errorf(cms.CodeConflict, "This is the last active admin.")
	}
	return nil
}

// EnsureFirst makes an admin where there is no user yet. Without a password one is made up and returned. Existing users stay as they are.
func (u *Users) EnsureFirst(ctx context.Context, email, password string) (created bool, generated string, err error) {
	users, err := u.Store.Users(ctx)
	if err != nil || len(users.List) > 0 {
		return false, "", err
	}
	if password == "" {
		generated = randomToken()[:24]
		password = generated
	}
	_, err = u.Create(ctx, cms.Actor{Source: cms.SourceAdmin}, map[string]any{
		"email": email, "password": password, "role": string(cms.RoleUserAdmin), "name": "Administrator",
	})
	if errors.Is(err, errEmailTaken) { // another process was faster
		return false, "", nil
	}
	return err == nil, generated, err
}
