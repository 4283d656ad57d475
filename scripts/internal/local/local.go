// Package local completes a deployment of the functions on this machine in the same way as `make
// dev`: with a first user and demo content (ADMIN_EMAIL, ADMIN_PASSWORD, SEED), and with the
// message that it is ready.
package local

import (
	"cmp"
	"context"
	"io"
	"os"

	"headless/pkg/app/function"
	"headless/pkg/app/function/admin"
	"headless/pkg/app/setup"
)

// Ready fills an empty deployment and prints its URL. variables are the environment variables of
// the functions, including the endpoints and credentials of the emulators.
func Ready(ctx context.Context, variables map[string]string, stdout io.Writer) error {
	b, err := function.Open(func(name string) string { return cmp.Or(variables[name], os.Getenv(name)) })
	if err != nil {
		return err
	}
	services, err := admin.Services(b)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(b.Config.DataDir, 0o755); err != nil { // for the key of the demo content
		return err
	}
	made, err := setup.Run(ctx, b.Config, services.Store, services)
	if err != nil {
		return err
	}
	made.Greet(stdout, b.Config.SiteURL)
	return nil
}
