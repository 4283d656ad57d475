package frame

import (
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/db/logs"
)

// People holds the names of the users of the service, by e-mail address.
type People map[string]string

// People reads the names of all users, once for a page. JSON has addresses only, so it reads none.
func (c *Call) People() (People, error) {
	if c.JSON || c.people != nil {
		return c.people, nil
	}
	users, err := c.A.on.Sessions.Store.Users(c.R.Context())
	if err != nil {
		return nil, err
	}
	c.people = People{}
	for _, u := range users.List {
		c.people[u.Email] = u.Name
	}
	return c.people, nil
}

// Name returns the name of the user with an address, or the text itself: of a key, of somebody whose
// account was deleted, or of a user without a name.
func (p People) Name(address string) string {
	if name := p[address]; name != "" {
		return name
	}
	return address
}

// Cell shows who did something. The address of a named user is its hint.
func (p People) Cell(actor *string) ui.Cell {
	if actor == nil {
		return ui.Cell{Text: logs.Anonymous, Kind: "muted"}
	}
	cell := ui.Cell{Text: say.Data(p.Name(*actor)), Kind: "person"}
	if cell.Text != say.Data(*actor) {
		cell.Hint = say.Data(*actor)
	}
	return cell
}
