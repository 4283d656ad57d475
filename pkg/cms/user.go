package cms

// UserRole is the slug of a user's role in the admin area (decisions §9).
type UserRole string

// The built-in roles of users, from most to fewest permissions.
const (
	RoleUserAdmin UserRole = "admin"  // all
	RoleEditor    UserRole = "editor" // content, media, forms
	RoleViewer    UserRole = "viewer" // read
)

// User is a user of the admin area, without the password.
type User struct {
	ID        string   `json:"id"`
	Email     string   `json:"email"`
	Name      string   `json:"name"`
	Role      UserRole `json:"role"`
	IsActive  bool     `json:"is_active"`
	CreatedAt Time     `json:"created_at"`
	UpdatedAt Time     `json:"updated_at"`
	Language  string   `json:"language,omitempty"` // of the pages of the admin area; "": as the browser says
	MailChoice
}

// MailKind is a kind of mails that users may switch off. Mails about their own accounts are always sent.
type MailKind string

// The kinds of mails.
const (
	MailReviews  MailKind = "reviews"  // reviews that are asked of the user, and answers to those the user asked for
	MailComments MailKind = "comments" // comments that mention the user or are assigned to the user
	MailPlans    MailKind = "plans"    // what the user planned, and failed or was changed since
	MailWebhooks MailKind = "webhooks" // webhooks that the user saved, and the service paused
)

// MailKinds lists the kinds of mails.
var MailKinds = []MailKind{MailReviews, MailComments, MailPlans, MailWebhooks}

// MailChoice says which mails a user wants.
type MailChoice struct {
	Mail    *bool      `json:"mail,omitempty"`     // whether tasks (reviews and comments) are mailed; nil: true
	MailOff []MailKind `json:"mail_off,omitempty"` // the kinds that are not mailed
}

// WantsMail reports whether a user wants mails of a kind.
func (c MailChoice) WantsMail(kind MailKind) bool {
	for _, off := range c.MailOff {
		if off == kind {
			return false
		}
	}
	isTask := kind == MailReviews || kind == MailComments
	return !isTask || c.Mail == nil || *c.Mail
}

// NewUser returns a user with the defaults of a new one.
func NewUser() User { return User{Role: RoleViewer, IsActive: true} }
