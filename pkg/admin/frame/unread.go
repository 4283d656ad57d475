package frame

import (
	"sync"
	"time"

	"headless/pkg/cms"
)

// countFor is how long a number in the menu is cached.
const countFor = 15 * time.Second

// cachedCount caches a number in the menu, so that not every page counts.
type cachedCount struct {
	mu sync.Mutex
	at time.Time
	n  int
}

// get returns the number, which count reads if the cache is old. It is 0 if counting fails.
func (u *cachedCount) get(now time.Time, count func() (int, error)) int {
	u.mu.Lock()
	defer u.mu.Unlock()
	if now.Sub(u.at) < countFor {
		return u.n
	}
	n, err := count()
	if err != nil {
		return 0
	}
	u.at, u.n = now, n
	return n
}

// Forget clears the cache: the next page counts again.
func (u *cachedCount) Forget() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.at = time.Time{}
}

// unread returns the number of unread submissions of all forms, 0 for users who may not read forms.
func (c *Call) unread() int {
	site := c.A.on.Site.CachedSite()
	if site == nil || !cms.PermissionsOf(c.R.Context()).May(cms.ActionRead, cms.AreaForms, "") {
		return 0
	}
	return c.A.Unread.get(c.Start, func() (n int, err error) {
		forms, err := UnreadForms(c, c.A.on.Forms.NewSubmissions, site)
		for _, f := range forms {
			n += f.Count
		}
		return n, err
	})
}

// openTasks returns the number of tasks that wait for the user.
func (c *Call) openTasks() int {
	if c.User == nil {
		return 0
	}
	return c.A.cachedTasks(c.User.ID).get(c.Start, func() (int, error) {
		return c.A.on.OpenTasks(c.R.Context(), c.User.ID)
	})
}

// cachedTasks returns the cache of the number of tasks of a user.
func (a *Admin) cachedTasks(userID string) *cachedCount {
	cache, _ := a.tasks.LoadOrStore(userID, new(cachedCount))
	return cache.(*cachedCount)
}

// unreadForm is a form with new submissions.
type unreadForm struct {
	Name, Href string
	Count      int
}
