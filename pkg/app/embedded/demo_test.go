package embedded

import (
	"log/slog"
	"testing"

	"headless/pkg/app"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/must"
)

// TestDemoPictures: the demo content has its pictures, whatever files people may upload.
func TestDemoPictures(t *testing.T) {
	env := map[string]string{"DATA_DIR": t.TempDir(), "SEED": app.SeedDemo, "UPLOAD_MIMES": "application/pdf",
		"UPLOAD_MAX_BYTES": "100", "ADMIN_PASSWORD": "a long enough password"}
	cfg, err := app.FromEnv(func(name string) string { return env[name] })
	must.Do(t, err)
	server, err := New(cfg, slog.New(slog.DiscardHandler))
	must.Do(t, err)
	defer func() { must.Do(t, server.Close()) }()
	pictures, err := server.store.Assets.MediaFiles(t.Context(), index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 10}})
	if err != nil || pictures.Total == 0 {
		t.Errorf("%d pictures, %v", pictures.Total, err)
	}
}
