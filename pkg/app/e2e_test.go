package app_test

import (
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"headless/pkg/app"
	"headless/pkg/app/embedded"
	"headless/pkg/e2e"
	"headless/pkg/e2e/kit"
	"headless/pkg/must"
)

// TestEndToEnd runs the black-box suite on the embedded server, over TCP as its clients use it.
func TestEndToEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; make check leaves it out")
	}
	cfg, err := app.FromEnv(func(string) string { return "" })
	must.Do(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must.Do(t, err)
	cfg.DataDir, cfg.Seed = t.TempDir(), "none"
	_, port, err := net.SplitHostPort(listener.Addr().String())
	must.Do(t, err)
	cfg.SiteURL = "http://localhost:" + port // passkeys belong to a name
	cfg.MediaBaseURL = cfg.SiteURL + "/media"
	cfg.AdminEmail, cfg.AdminPassword = "root@example.com", "a long enough password"
	cfg.WebhookAllowInsecure = true
	cfg.WebhookRetrySchedule = []time.Duration{50 * time.Millisecond, 100 * time.Millisecond,
		100 * time.Millisecond, 200 * time.Millisecond, time.Minute}
	cfg.LogLevel, cfg.PasswordMemory = 8, 64 // errors only; the suites on AWS's emulators hash with all memory
	server, err := embedded.NewOn(cfg, cfg.Logger(), tellsNews(t))
	must.Do(t, err)
	hs := &http.Server{Handler: server, ReadHeaderTimeout: time.Minute}
	go hs.Serve(listener)
	t.Cleanup(func() {
		hs.Close()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	e2e.Run(t, kit.Target{
		BaseURL: cfg.SiteURL, AdminEmail: cfg.AdminEmail, AdminPassword: cfg.AdminPassword, CountsViews: true,
		Mail: func(t *testing.T) [][]byte { return messages(t, cfg.DataDir) },
	})
}

// messages reads every .eml file below a folder.
func messages(t *testing.T, folder string) (all [][]byte) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".eml" {
			return nil // a file may go away while others are written
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		all = append(all, b)
		return nil
	})
	must.Do(t, err)
	return all
}
