package frame

import (
	"strings"

	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/db/logs"
	"headless/pkg/rights"
)

// People are the users of the service. The zero value knows nobody.
type People struct {
	*rights.People
	names map[string]string // by id and by e-mail address
}

// People reads all users, once for a page. JSON has ids and addresses, so it reads none.
func (c *Call) People() (People, error) {
	if c.JSON || c.people.People != nil {
		return c.people, nil
	}
	all, err := rights.ReadPeople(c.R.Context(), c.A.on.Sessions.Store.DB)
	if err != nil {
		return People{}, err
	}
	c.people = People{all, map[string]string{}}
	for _, a := range all.Accounts {
		c.people.names[a.ID] = a.Value.Name
		c.people.names[a.Value.Email] = a.Value.Name
	}
	return c.people, nil
}

// Erased begins the name that an erased address is replaced with.
const Erased = "erased-"

// Name returns the name of the user with an id or address. Texts of others stay as they are: names of keys, and
// addresses without an account, which may be former ones of present users.
func (p People) Name(who string) say.Text {
	name, known := p.names[who]
	switch {
	case known, who == "":
		return ui.PersonName(name)
	case strings.HasPrefix(who, Erased):
		return say.F("Former user ({1})", who)
	}
	return say.Data(who)
}

// Cell shows who did something. The address of a named user is its hint.
func (p People) Cell(actor *string) ui.Cell {
	if actor == nil {
		return ui.Cell{Text: logs.Anonymous, Kind: "muted"}
	}
	cell := ui.Cell{Text: p.Name(*actor), Kind: "person"}
	if cell.Text == ui.FormerUser {
		cell.Kind = "" // no initials
	} else if cell.Text != say.Data(*actor) {
		cell.Hint = say.Data(*actor)
	}
	return cell
}
