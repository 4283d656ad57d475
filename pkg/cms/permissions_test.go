package cms

import "testing"

func TestPermissions(t *testing.T) {
	writer := NewPermissions([]Rule{
		{Models: []string{"posts"}, Locales: []string{"de"}},
		{Models: []string{"pages"}, Actions: []Action{ActionRead}},
	})
	for _, c := range []struct {
		p             *Permissions
		action        Action
		model, locale string
		want          bool
	}{
		{nil, ActionDelete, "posts", "en", true},
		{NewPermissions(nil), ActionRead, "posts", "", false},
		{NewPermissions([]Rule{{}}), ActionPublish, "media", "", true},
		{writer, ActionPublish, "posts", "de", true},
		{writer, ActionPublish, "posts", "en", false},
		{writer, ActionPublish, "posts", "", true},
		{writer, ActionRead, "pages", "en", true},
		{writer, ActionWrite, "pages", "en", false},
		{writer, ActionRead, "media", "", false},
		{(&Key{}).Permissions(), ActionRead, "posts", "", true},
		{(&Key{Models: []string{"posts"}}).Permissions(), ActionWrite, "posts", "fr", true},
		{(&Key{Models: []string{"posts"}}).Permissions(), ActionRead, "pages", "", false},
		{(&Key{Models: []string{"posts"}}).Permissions(), ActionRead, AreaSettings, "", true},
		{(&Key{Models: []string{"posts"}}).Permissions(), ActionRead, AreaMedia, "", false},
		{(&Key{Locales: []string{"de"}}).Permissions(), ActionRead, "posts", "en", false},
	} {
		if got := c.p.May(c.action, c.model, c.locale); got != c.want {
			t.Errorf("%v.May(%s, %q, %q) = %t, want %t", c.p, c.action, c.model, c.locale, got, c.want)
		}
	}
	if err := writer.Check(ActionWrite, "pages", "en", "page"); err.(*Error).Code != CodeForbidden {
		t.Errorf("readable: %v, want FORBIDDEN", err)
	}
	if err := writer.Check(ActionWrite, "media", "", "file"); err.(*Error).Code != CodeNotFound {
		t.Errorf("not readable: %v, want NOT_FOUND", err)
	}
	if PermissionsOf(t.Context()) != nil || PermissionsOf(WithPermissions(t.Context(), writer)) != writer {
		t.Error("a context does not carry its permissions")
	}
}
