package entrypages

import (
	"headless/pkg/admin/entrydata"
	"headless/pkg/admin/frame"
	"headless/pkg/editing/moving"
)

// move puts an entry below another one in the tree of its model (extensions §13).
func (h entryPages) move(c *frame.Call) (frame.Result, error) {
	body, err := c.Body()
	if err != nil {
		return frame.Result{}, err
	}
	emptyIsNull(body)
	model := c.R.PathValue("slug")
	e, err := moving.Trees{Entries: h.Entries}.Move(c.R.Context(), c.Actor(), model, body, frame.Matching(c, entrydata.ShownEntry))
	if err != nil {
		return frame.Result{}, err
	}
	return frame.Result{Data: entrydata.ShownEntry(e), Redirect: "/models/" + model + "/entries/" + e.ID}, nil
}
