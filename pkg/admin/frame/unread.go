package frame

import (
	"sync"
	"time"

	"headless/pkg/cms"
)

// unreadFor is how long the number of unread submissions in the menu is cached.
const unreadFor = 15 * time.Second

// unreadCount caches the number of unread submissions of all forms, so that not every page counts
// them.
type unreadCount struct {
	mu sync.Mutex
	at time.Time
	n  int
}

// unread returns the number of unread submissions. It is 0 for users who may not read forms, and if
// counting fails.
func (c *Call) unread() int {
	if !cms.PermissionsOf(c.R.Context()).May(cms.ActionRead, cms.AreaForms, "") {
		return 0
	}
	u := &c.A.Unread
	u.mu.Lock()
	defer u.mu.Unlock()
	if c.Start.Sub(u.at) < unreadFor {
		return u.n
	}
	site := c.A.on.Site.CachedSite()
	if site == nil {
		return 0
	}
	forms, err := UnreadForms(c, c.A.on.Forms.NewSubmissions, site)
	if err != nil {
		return 0
	}
	u.at, u.n = c.Start, 0
	for _, f := range forms {
		u.n += f.Count
	}
	return u.n
}

// Forget clears the cache: the next page counts again.
func (u *unreadCount) Forget() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.at = time.Time{}
}

// unreadForm is a form with new submissions.
type unreadForm struct {
	Name, Href string
	Count      int
}
