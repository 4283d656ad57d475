package frame

import (
	"strconv"
	"time"

	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/db/logs"
)

// digestDigits is the length of the digest in the version of a form.
const digestDigits = 24

// noteOpened adds the present time to the version of a form: later changes of the item overtake the form. A form that
// has a base already, or a version of another kind, stays as it is.
func (c *Call) noteOpened(f *ui.Form) {
	if f != nil && f.Base == "" && len(f.Version) == digestDigits {
		f.Base = f.Version
		f.Version += strconv.FormatInt(c.A.on.Site.Now().UnixMilli(), 16)
	}
}

// SentVersion returns the digest in the version of the posted form, and the time that noteOpened added.
func (c *Call) SentVersion() (digest, opened string) {
	version := c.Form.Get(ui.VersionKey)
	at := min(len(version), digestDigits)
	return version[:at], version[at:]
}

// Changer returns who made the newest change of an item since the posted form was opened, as the activity log knows it,
// and whether that is the user. event is that of its changes, and id its id there, "" if it has none. The name is "" if
// the log does not tell, or the user may not read it.
func (c *Call) Changer(event, id string) (name say.Text, own bool, err error) {
	_, opened := c.SentVersion()
	from, err := strconv.ParseInt(opened, 16, 48)
	if err != nil {
		return "", false, nil
	}
	// The newest change counts, although the user may not read it.
	page, err := logs.Activity(cms.WithPermissions(c.R.Context(), nil), c.A.on.Sessions.Store.DB, logs.Query{
		Paging: db.Paging{Page: 1, PerPage: 1}, Filters: map[string]string{"event": event, "subject_id": id},
		From: cms.At(time.UnixMilli(from)), Uncounted: true})
	if err != nil || len(page.Items) == 0 || page.Items[0].Actor == nil {
		return "", false, err
	}
	line := page.Items[0]
	if *line.Actor == c.Actor().Name && line.Source != cms.SourceAPI {
		return "", true, nil
	}
	if !logs.Readable(cms.PermissionsOf(c.R.Context()), line) {
		return "", false, nil
	}
	people, err := c.People()
	return people.Name(*line.Actor), false, err
}
