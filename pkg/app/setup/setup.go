// Package setup makes what a new service needs before its first request, and says how to get in:
// the default locale, the first user, and the demo content where it is wanted. The embedded server
// and the local deployments of the functions share it.
package setup

import (
	"context"
	"fmt"
	"io"

	"headless/pkg/admin"
	"headless/pkg/app"
	"headless/pkg/rooms"
)

// FirstUser tells that the first user of the admin area was made; Password is set when it was made
// up.
type FirstUser struct {
	Created         bool
	Email, Password string
}

// Made is what a service was given.
type Made struct {
	First FirstUser
	Demo  *DemoKey // opens the demo content; nil when there is none
	// SitePath is where an example site shows the demo content; empty where none is served.
	SitePath string
}

// Run gives an empty store its first locale, its first user and its content.
func Run(ctx context.Context, cfg app.Config, st *rooms.Stores, on admin.Services) (m Made, err error) {
	if err := on.Locales.EnsureDefault(ctx); err != nil {
		return m, err
	}
	m.First.Email = cfg.AdminEmail
	if m.First.Created, m.First.Password, err = on.Users.EnsureFirst(ctx, cfg.AdminEmail, cfg.AdminPassword); err != nil {
		return m, err
	}
	m.Demo, err = seed(ctx, cfg, st, demoServices(cfg, on))
	return m, err
}

// Greet says where the service is and how to get in.
func (m Made) Greet(stdout io.Writer, siteURL string) {
	fmt.Fprintf(stdout, "ready %s/api/v1 %s/admin\n", siteURL, siteURL)
	switch first := m.First; {
	case first.Created && first.Password != "":
		fmt.Fprintf(stdout, "\nSign in at %s/admin as %s with the password %s (shown this once)\n",
			siteURL, first.Email, first.Password)
	case first.Created:
		fmt.Fprintf(stdout, "\nSign in at %s/admin as %s with the password in ADMIN_PASSWORD\n",
			siteURL, first.Email)
	}
	if m.SitePath != "" {
		fmt.Fprintf(stdout, "\nA static site that reads the demo content from the browser: %s%s\n",
			siteURL, m.SitePath)
	}
	if key := m.Demo; key != nil {
		fmt.Fprintf(stdout,
			"\nRead the demo content:\n\n  curl -H 'X-API-Key: %s' -H 'X-API-Secret: %s' "+
				"'%s/api/v1/posts?include=author,image&per_page=2'\n\n",
			key.PublicKey, key.Secret, siteURL)
	}
}
