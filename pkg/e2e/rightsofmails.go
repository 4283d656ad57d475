package e2e

import (
	"strings"
	"testing"
	"time"
)

// mailRights has entries wait for a user who may not read one of them any more, and who has another
// address now. Mails are about the other entry alone, and go to the new address.
func mailRights(t *testing.T, s *suite) {
	if s.target.Mail == nil {
		t.Skip("the target shows no mails")
	}
	admin, lost, kept := s.admin(t), s.model(t, nil), s.model(t, nil)
	rule := func(models ...any) list { return list{obj{"models": models}} }
	role := unique("role")
	admin.ok(t, 201, "POST /roles", obj{"slug": role, "name": "Role", "rules": rule(lost, kept)})
	former, id, c := s.user(t, role)
	_, writer := s.role(t, obj{"models": list{lost, kept}, "actions": list{"read", "write"}})
	_, _, editor := s.user(t, "editor")
	ids, at := map[string]string{}, map[string]string{}
	for _, model := range []string{lost, kept} {
		ids[model] = c.ok(t, 201, "POST /models/"+model+"/entries", obj{"title": "Entry", "data": obj{"body": "one"}}).str(t, "data.id")
		at[model] = "/models/" + model + "/entries/" + ids[model]
		c.ok(t, 201, "POST "+at[model]+"/review", obj{})
		c.ok(t, 200, "PUT "+at[model]+"/schedule", obj{"publish_at": fromNow(time.Hour)})
	}
	email := unique("new") + "@example.com"
	admin.ok(t, 200, "PUT /users/"+id, obj{"email": email})
	admin.ok(t, 200, "PUT /roles/"+role, obj{"rules": rule(kept)})
	for _, model := range []string{lost, kept} {
		editor.ok(t, 200, "POST "+at[model]+"/review/return", obj{"version": "1", "note": "No"})
		writer.ok(t, 200, "PUT "+at[model], obj{"data": obj{"body": "two"}})
	}
	var all string
	s.fired(t, "the mails about the entry that may be read", func() bool {
		all = strings.Join(s.mails(t, email), "")
		return strings.Count(all, ids[kept]) == 2
	})
	if strings.Contains(all, ids[lost]) {
		t.Errorf("a mail about what may not be read: %s", all)
	}
	if old := strings.Join(s.mails(t, former), ""); strings.Contains(old, ids[kept]) || strings.Contains(old, ids[lost]) {
		t.Errorf("a mail to the former address: %s", old)
	}
}
