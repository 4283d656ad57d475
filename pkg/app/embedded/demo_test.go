package embedded

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"headless/pkg/app"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/must"
)

// demoServer returns a server with the demo content and some variables.
func demoServer(t *testing.T, env map[string]string) *Server {
	t.Helper()
	env["DATA_DIR"], env["SEED"], env["ADMIN_PASSWORD"] = t.TempDir(), app.SeedDemo, "a long enough password"
	cfg, err := app.FromEnv(func(name string) string { return env[name] })
	must.Do(t, err)
	server, err := New(cfg, slog.New(slog.DiscardHandler))
	must.Do(t, err)
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

// TestDemoSite: the rules of all paths hold for the example site.
func TestDemoSite(t *testing.T) {
	server := demoServer(t, map[string]string{"ORIGIN_VERIFY": strings.Repeat("secret", 8)})
	for _, path := range []string{"/site/", "/site/config.json", "/api/v1/settings"} {
		w := httptest.NewRecorder()
		server.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost"+path, nil))
		if w.Code != http.StatusForbidden {
			t.Errorf("%s is answered %d to who went round the CDN", path, w.Code)
		}
	}

	grace, drain := bodies.Grace, drainTime
	bodies.Grace, drainTime = time.Second/2, time.Second/2
	defer func() { bodies.Grace, drainTime = grace, drain }()
	server = demoServer(t, map[string]string{})
	live := httptest.NewServer(server)
	defer live.Close()
	w := httptest.NewRecorder()
	if server.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/site/", nil)); w.Code != http.StatusOK {
		t.Errorf("the site: %d", w.Code)
	}
	took := trickle(t, &client{server: server}, live.Listener.Addr().String(), "POST /site/", "Content-Length: 100000")
	if took > 15*time.Second {
		t.Errorf("a body that trickles kept the connection open for %s", took)
	}
}

// TestDemoPictures: the demo content has its pictures, whatever files people may upload.
func TestDemoPictures(t *testing.T) {
	server := demoServer(t, map[string]string{"UPLOAD_MIMES": "application/pdf", "UPLOAD_MAX_BYTES": "100"})
	pictures, err := server.store.Assets.MediaFiles(t.Context(), index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 10}})
	if err != nil || pictures.Total == 0 {
		t.Errorf("%d pictures, %v", pictures.Total, err)
	}
}
