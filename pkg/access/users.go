package access

import (
	"context"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/google/uuid"

	"headless/pkg/access/notices"
	"headless/pkg/access/passwords"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/slice"
)

// Users are the accounts of the admin area.
type Users struct {
	Store     *Store
	Passwords *passwords.Hasher
	Notices   *notices.Notices
	// Leave ends the work of a user in other packages; nil if no package has any.
	Leave Leave
}

// Leave ends the preview links of a user. If to is set, it first hands the plans, running jobs and
// items of releases of that user over to it; VALIDATION_FAILED if to may not do all of it. It is
// called before the change of the account is committed, and may run more than once.
type Leave func(ctx context.Context, actor cms.Actor, userID string, to *cms.Actor) error

// successorOf returns the user who takes over what another one leaves, as the actor of planned changes;
// nil if id is nil. VALIDATION_FAILED unless it is another active user.
func successorOf(users UserList, from User, id *string) (*cms.Actor, error) {
	if id == nil {
		return nil, nil
	}
	i := slices.IndexFunc(users.List, func(u User) bool { return u.ID == *id })
	if i < 0 || *id == from.ID || !users.List[i].IsActive {
		return nil, cms.Problems{"reassign": {"must be the id of another active user"}}.Err()
	}
	to := users.List[i]
	return &cms.Actor{Name: to.Email, UserID: to.ID, Term: to.Term, Source: cms.SourceSchedule}, nil
}

// endWork ends the work of a user in other packages, unless done says that this has happened. It may take seconds.
// If others change accounts meanwhile, the commit that follows is tried again, and the work is not ended twice.
func (u *Users) endWork(ctx context.Context, actor cms.Actor, users UserList, user User, reassign *string,
	done *bool) error {
	to, err := successorOf(users, user, reassign)
	if err != nil || u.Leave == nil || *done {
		return err
	}
	err = u.Leave(ctx, actor, user.ID, to)
	*done = err == nil
	return err
}

var errEmailTaken = cms.Errorf(cms.CodeConflict, "Another user has this e-mail address.")

// List lists all users by e-mail address.
func (u *Users) List(ctx context.Context, p db.Paging) (db.Page[cms.User], error) {
	users, err := u.Store.Users(ctx)
	if err != nil {
		return db.Page[cms.User]{}, err
	}
	list := slice.Map(users.List, func(user User) cms.User { return user.User })
	cms.SortBy(list, func(u cms.User) string { return cms.NameOrder(u.Email) })
	return db.PageOf(list, p), nil
}

// Get reads a user; NOT_FOUND if there is none.
func (u *Users) Get(ctx context.Context, id string) (Profile, error) {
	user, err := u.Store.User(ctx, id)
	return Profile{User: user.User, HasTOTP: user.Factors.TOTP != nil}, input.NotFound(err, "user")
}

// Create makes a user; the default role is viewer. CONFLICT if the address is taken, ignoring case.
func (u *Users) Create(ctx context.Context, actor cms.Actor, body map[string]any) (cms.User, error) {
	in, p := input.Decode[userInput](body)
	return u.create(ctx, actor, in, p)
}

// create makes a user, unless there are problems.
func (u *Users) create(ctx context.Context, actor cms.Actor, in userInput, p cms.Problems) (cms.User, error) {
	now := u.Store.Now()
	user := User{User: cms.NewUser()}
	user.ID, user.CreatedAt, user.UpdatedAt = uuid.NewString(), now, now
	if in.Role != nil && *in.Role == "" {
		in.Role = nil
	}
	if err := u.findRole(ctx, &in); err != nil {
		return cms.User{}, err
	}
	in.applyTo(&user, p)
	if in.Password == nil && len(p["password"]) == 0 {
		p.Add("password", "is required")
	}
	if err := p.Err(); err != nil {
		return cms.User{}, err
	}
	var err error
	if user.PasswordHash, err = u.Passwords.Hash(ctx, *in.Password); err != nil {
		return cms.User{}, err
	}
	err = u.Store.Retry(ctx, func() error {
		users, err := u.Store.Users(ctx)
		if err != nil {
			return err
		}
		if err := u.roleStays(ctx, user.Role); err != nil {
			return err
		}
		return u.commitNew(ctx, actor, users, user, func(*db.Tx) {})
	})
	return user.User, err
}

func (u *Users) commitNew(ctx context.Context, actor cms.Actor, users UserList, user User, addTo func(*db.Tx)) error {
	tx := u.Store.Begin()
	addTo(tx)
	putUser(tx, users, user, errEmailTaken)
	tx.Event(actor, cms.EventUserCreated, "", struct {
		ID    string       `json:"id"`
		Email string       `json:"email"`
		Name  string       `json:"name"`
		Role  cms.UserRole `json:"role"`
	}{user.ID, user.Email, user.Name, user.Role})
	tx.Audit(actor, "user.created", "user "+user.Email, user.ID, nil, shownChange(user.User))
	return u.Store.Commit(ctx, tx)
}

// Update changes a user. A new password and deactivation end the user's sessions and access tokens.
// Deactivation also ends preview links, and stops what the user has planned and started, unless the
// body hands it over to another user (reassign). CONFLICT if no active admin would be left.
func (u *Users) Update(ctx context.Context, actor cms.Actor, id string, body map[string]any,
	ok input.Precondition[cms.User]) (cms.User, error) {
	in, p := input.Decode[userInput](body)
	return u.update(ctx, actor, id, in, p, ok, func(User, *db.Tx) error { return nil })
}

// update changes a user, unless there are problems. addTo adds to the transaction of the change, or refuses it.
func (u *Users) update(
	ctx context.Context, actor cms.Actor, id string, in userInput, p cms.Problems,
	ok input.Precondition[cms.User], addTo func(user User, tx *db.Tx) error,
) (cms.User, error) {
	var hash string
	if in.Password != nil && len(p) == 0 && utf8.RuneCountInString(*in.Password) <= passwords.Max {
		var err error
		if hash, err = u.Passwords.Hash(ctx, *in.Password); err != nil {
			return cms.User{}, err
		}
	}
	var result cms.User
	left := false
	err := u.changeUser(ctx, id, func(users UserList, user User, tx *db.Tx) error {
		was := user.User
		if err := ok.Check(was); err != nil {
			return err
		}
		// After the users were read, so that the role cannot be deleted before the commit.
		if err := u.findRole(ctx, &in); err != nil {
			return err
		}
		problems := cms.Problems{}
		problems.Merge(p)
		in.applyTo(&user, problems)
		if in.Reassign != nil && (!was.IsActive || user.IsActive) {
			problems.Add("reassign", "is allowed only when the user is deactivated")
		}
		if err := problems.Err(); err != nil {
			return err
		}
		if in.Password != nil {
			user.PasswordHash, user.Factors.WrongCodes = hash, 0
		}
		leaves := was.IsActive && !user.IsActive
		if in.Password != nil || leaves {
			user.Epoch++
			user.Resets++
		}
		if leaves {
			user.Term++
		}
		user.UpdatedAt = tx.At()
		if err := keepsAdmin(users, user); err != nil {
			return err
		}
		if leaves || in.Password != nil && actor.UserID != user.ID {
			if err := u.endWork(ctx, actor, users, user, in.Reassign, &left); err != nil {
				return err
			}
		}
		putUser(tx, users, user, errEmailTaken)
		tx.Audit(actor, "user.updated", "user "+user.Email, user.ID, shownChange(was), shownChange(user.User))
		u.mailChanges(tx, actor, was, user.User, in.Password != nil)
		result = user.User
		return addTo(user, tx)
	})
	return result, err
}

// Remove deletes a user, which ends and stops the same as deactivation. If reassign is not nil, the
// user with this id takes what would stop. Errors: VALIDATION_FAILED on reassign, CONFLICT for the
// last active admin.
func (u *Users) Remove(ctx context.Context, actor cms.Actor, id string, reassign *string) error {
	left := false
	return u.changeUser(ctx, id, func(users UserList, user User, tx *db.Tx) error {
		gone := user
		gone.IsActive = false
		if err := keepsAdmin(users, gone); err != nil {
			return err
		}
		if err := u.endWork(ctx, actor, users, user, reassign, &left); err != nil {
			return err
		}
		deleteUser(tx, users, user)
		tx.Audit(actor, "user.deleted", "user "+user.Email, user.ID, shownChange(user.User), nil)
		return nil
	})
}

func (u *Users) changeUser(ctx context.Context, id string,
	use func(users UserList, user User, tx *db.Tx) error) error {
	return u.Store.Retry(ctx, func() error {
		users, err := u.Store.Users(ctx)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(users.List, func(user User) bool { return user.ID == id })
		if i < 0 {
			return input.NotFound(db.ErrNotFound, "user")
		}
		tx := u.Store.Begin()
		if err := use(users, users.List[i], tx); err != nil {
			return err
		}
		return u.Store.Commit(ctx, tx)
	})
}

// keepsAdmin returns an error if a change leaves no active admin.
func keepsAdmin(users UserList, changed User) error {
	isAdmin := func(user User) bool { return user.IsActive && user.Role == cms.RoleUserAdmin }
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

// EnsureFirst creates an admin if there are no users. If password is "", it generates one and
// returns it. Existing users are not changed.
func (u *Users) EnsureFirst(ctx context.Context, email, password string) (created bool, generated string, err error) {
	users, err := u.Store.Users(ctx)
	if err != nil || len(users.List) > 0 {
		return false, "", err
	}
	if password == "" {
		generated = passwords.Generate()
		password = generated
	}
	p := cms.Problems{}
	if n := utf8.RuneCountInString(password); n < passwords.Min || n > passwords.Max {
		p.Add("password", "must have %d to %d characters", passwords.Min, passwords.Max)
	}
	role, name := string(cms.RoleUserAdmin), "Administrator"
	_, err = u.create(ctx, cms.Actor{Source: cms.SourceAdmin}, userInput{Email: &email, Password: &password,
		Role: &role, Name: &name, byOperator: true}, p)
	if errors.Is(err, errEmailTaken) { // another process was faster
		return false, "", nil
	}
	return err == nil, generated, err
}
