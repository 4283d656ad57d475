// Package setup creates what a new service needs before its first request: the default locale, the
// first user, and the demo content if it is configured. It also prints how to sign in. The embedded
// server and the local deployments of the functions use it.
package setup

import (
	"context"
	"errors"
	"fmt"
	"io"

	"headless/pkg/admin"
	"headless/pkg/app"
	"headless/pkg/cms"
	"headless/pkg/mcp"
	"headless/pkg/rooms"
)

// FirstUser describes the first user of the admin area, which was just created. Password is set if
// it was generated.
type FirstUser struct {
	Created         bool
	Email, Password string
}

// Made is the result of Run.
type Made struct {
	First FirstUser
	Key   *Key // nil: none
	// SitePath is the path of an example site with the demo content; empty if there is none.
	SitePath string
}

// Run creates the first locale, the first user and the content of an empty store. It also ends the
// access tokens of former versions.
func Run(ctx context.Context, cfg app.Config, st *rooms.Stores, on admin.Services) (m Made, err error) {
	if err := on.Locales.EnsureDefault(ctx); err != nil {
		return m, err
	}
	m.First.Email = cfg.AdminEmail
	if m.First.Created, m.First.Password, err = on.Users.EnsureFirst(ctx, cfg.AdminEmail, cfg.AdminPassword); err != nil {
		if wrong, ok := errors.AsType[*cms.Error](err); ok {
			err = fmt.Errorf("ADMIN_EMAIL or ADMIN_PASSWORD: %s", wrong.Describe())
		}
		return m, err
	}
	if err := on.Tokens.Upgrade(ctx); err != nil {
		return m, err
	}
	m.Key, err = seed(ctx, cfg, st, on, m.First.Created)
	return m, err
}

// Greet prints the URL of the service and how to sign in.
func (m Made) Greet(stdout io.Writer, siteURL string) {
	fmt.Fprintf(stdout, "ready %s/api/v1 %s/admin\n", siteURL, siteURL)
	switch first := m.First; {
	case first.Created && first.Password != "":
		fmt.Fprintf(stdout, "\nSign in at %s/admin as %s with the password %s (shown this once)\n",
			siteURL, first.Email, first.Password)
	case first.Created:
		fmt.Fprintf(stdout, "\nSign in at %s/admin as %s with the password in ADMIN_PASSWORD\n", siteURL, first.Email)
	}
	if m.SitePath != "" {
		fmt.Fprintf(stdout, "\nA static site that reads the demo content from the browser: %s%s\n",
			siteURL, m.SitePath)
	}
	fmt.Fprintf(stdout, "\nAdd it to an agent (MCP): claude mcp add --transport http cms %s%s\n", siteURL, mcp.Path)
	if m.Key == nil {
		return
	}
	what, path := "Read the demo content", "posts?include=author,image&per_page=2'"
	if m.Key.Site == "" {
		what, path = "TypeScript of the models at "+siteURL+"/admin/models", "types.ts' -o cms.ts"
	}
	fmt.Fprintf(stdout, "\n%s:\n\n  curl -H 'X-API-Key: %s' -H 'X-API-Secret: %s' '%s/api/v1/%s\n\n",
		what, m.Key.PublicKey, m.Key.Secret, siteURL, path)
}
