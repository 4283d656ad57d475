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
	Mail      *bool    `json:"mail,omitempty"`     // whether tasks are mailed; nil: true
	Language  string   `json:"language,omitempty"` // of the pages of the admin area; "": as the browser says
}

// NewUser returns a user with the defaults of a new one.
func NewUser() User { return User{Role: RoleViewer, IsActive: true} }
