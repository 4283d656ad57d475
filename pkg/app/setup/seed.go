package setup

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"headless/pkg/admin"
	"headless/pkg/app"
	"headless/pkg/app/demo"
	"headless/pkg/app/uploads"
	"headless/pkg/assets/upload"
	"headless/pkg/cms"
	"headless/pkg/rooms"
)

// Key is the API key made at the first start.
type Key struct {
	PublicKey, Secret string
	Site              string // publishable key of the example site; "" without demo content
}

// seed makes an API key at the first start, with the demo content if SEED is demo and the store has no
// models. The key is stored in a file of the data folder, so that every start can show it while it is
// valid; it is nil if there is none.
func seed(ctx context.Context, cfg app.Config, st *rooms.Stores, on admin.Services, first bool) (*Key, error) {
	site, err := st.Site.Site(ctx)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(cfg.DataDir, "first-key.txt")
	var made demo.Keys
	switch {
	case cfg.Seed == app.SeedDemo && len(site.Models) == 0:
		made, err = demo.Seed(ctx, demoServices(cfg, st, on))
	case first:
		made.Full, err = demo.FullKey(ctx, on.Keys, "First key")
	default:
		return storedKey(ctx, st, file)
	}
	if err != nil {
		return nil, err
	}
	key := &Key{made.Full.PublicKey, made.Full.Secret, made.Site}
	return key, os.WriteFile(file, []byte(key.PublicKey+"\n"+key.Secret+"\n"+key.Site+"\n"), 0o600)
}

// storedKey reads the key of an earlier start; nil if it was deleted or its secret was replaced.
func storedKey(ctx context.Context, st *rooms.Stores, file string) (*Key, error) {
	kept, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(kept), "\n")
	if len(lines) < 3 {
		return nil, nil
	}
	public, secret, site := lines[0], lines[1], lines[2]
	opening, err := st.Keys.Open(ctx, public)
	if err != nil || opening.Key == nil {
		return nil, err
	}
	if sum := sha256.Sum256([]byte(secret)); !bytes.Equal(sum[:], opening.Key.SecretHash) {
		return nil, nil
	}
	return &Key{public, secret, site}, nil
}

// demoServices returns the use cases that create the demo content. The limits of uploads do not hold for its pictures.
func demoServices(cfg app.Config, st *rooms.Stores, on admin.Services) demo.Services {
	cfg.UploadMimes, cfg.UploadMaxBytes = nil, math.MaxInt64
	media := uploads.New(cfg, st.Content, on.Media.Blobs, on.Media.Log)
	return demo.Services{
		SiteURL: cfg.SiteURL,
		Locales: on.Locales, Settings: on.Settings, Models: on.Models, Entries: on.Entries,
		Keys: on.Keys, Forms: on.Forms,
		Upload: func(ctx context.Context, actor cms.Actor, name, alt string, content []byte) (string, error) {
			file, err := media.Upload(ctx, actor,
				&upload.Upload{Name: name, File: bytes.NewReader(content),
					Size: int64(len(content)), Alt: alt})
			return file.ID, err
		},
	}
}
