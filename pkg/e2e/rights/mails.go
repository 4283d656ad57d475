package rights

import (
	"strings"
	"testing"
	"time"

	"headless/pkg/e2e/kit"
)

// mailRights has entries wait for a user who may not read one of them any more, and who has another
// address now. Mails are about the other entry alone, and go to the new address.
func mailRights(t *testing.T, s *kit.Suite) {
	if s.Target.Mail == nil {
		t.Skip("the target shows no mails")
	}
	admin, lost, kept := s.Admin(t), s.Model(t, nil), s.Model(t, nil)
	rule := func(models ...any) kit.List { return kit.List{kit.Obj{"models": models}} }
	role := kit.Unique("role")
	admin.Post(t, "/roles", kit.Obj{"slug": role, "name": "Role", "rules": rule(lost, kept)})
	former, id, c := s.User(t, role)
	_, writer := s.Role(t, kit.Obj{"models": kit.List{lost, kept}, "actions": kit.List{"read", "write"}})
	_, _, editor := s.User(t, "editor")
	ids, at := map[string]string{}, map[string]string{}
	for _, model := range []string{lost, kept} {
		ids[model] = c.Post(t, "/models/"+model+"/entries",
			kit.Obj{"title": "Entry", "data": kit.Obj{"body": "one"}}).Str(t, "data.id")
		at[model] = "/models/" + model + "/entries/" + ids[model]
		c.Post(t, at[model]+"/review", kit.Obj{})
		c.Put(t, at[model]+"/schedule", kit.Obj{"publish_at": kit.FromNow(time.Hour)})
	}
	email := kit.Unique("new") + "@example.com"
	admin.Put(t, "/users/"+id, kit.Obj{"email": email})
	admin.Put(t, "/roles/"+role, kit.Obj{"rules": rule(kept)})
	for _, model := range []string{lost, kept} {
		editor.OK(t, 200, "POST "+at[model]+"/review/return", kit.Obj{"version": "1", "note": "No"})
		writer.Put(t, at[model], kit.Obj{"data": kit.Obj{"body": "two"}})
	}
	var all string
	s.Eventually(t, "the mails about the entry that may be read", func() bool {
		all = strings.Join(s.MailsTo(t, email), "")
		return strings.Count(all, ids[kept]) == 2
	})
	if strings.Contains(all, ids[lost]) {
		t.Errorf("a mail about what may not be read: %s", all)
	}
	if old := strings.Join(s.MailsTo(t, former), ""); strings.Contains(old, ids[kept]) ||
		strings.Contains(old, ids[lost]) {
		t.Errorf("a mail to the former address: %s", old)
	}
}
