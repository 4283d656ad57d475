package admin_test

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestDemotedWhilePolling takes the role of an admin who waits for the deliveries of a listener: the answer has none.
func TestDemotedWhilePolling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		c := s.as(t, adminEmail)
		id := c.must(t, 201, "POST", "/users", user("ed@example.com", "admin")).text(t, "id")
		hook := c.must(t, 201, "POST", "/webhooks", `{"listen": true, "events": ["*"]}`).text(t, "id")
		ed := s.as(t, "ed@example.com")
		poll := func() int {
			code := make(chan int)
			go func() { code <- ed.do(t, "GET", "/webhooks/"+hook+"/poll", nil).Code }()
			time.Sleep(time.Second)
			c.must(t, 200, "PUT", "/users/"+id, `{"role": "editor"}`)
			return <-code
		}
		if code := poll(); code != 403 {
			t.Errorf("a poll of a former admin: %d", code)
		}
	})
}
