package embedded

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"

	"headless/pkg/app"
	"headless/pkg/app/uploads"
	"headless/pkg/assets"
	"headless/pkg/assets/webp"
	"headless/pkg/blob"
	"headless/pkg/blob/disk"
)

// uploadPath is the path that receives direct uploads.
const uploadPath = "/media-upload"

// openBlobs opens the object storage: media objects and mail.
func openBlobs(cfg app.Config) (*disk.Store, error) {
	secret, err := uploadSecret(filepath.Join(cfg.DataDir, "upload.key"))
	if err != nil {
		return nil, err
	}
	return disk.Open(filepath.Join(cfg.DataDir, "blobs"),
		disk.Options{UploadURL: cfg.SiteURL + uploadPath, Secret: secret})
}

// uploadSecret reads the key that signs direct uploads, and creates it at the first start.
func uploadSecret(path string) ([]byte, error) {
	secret, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(secret) == 0 { // empty: the first start was interrupted
		secret = make([]byte, 32)
		_, _ = rand.Read(secret) // never fails
		err = os.WriteFile(path, secret, 0o600)
	}
	return secret, err
}

// mountBlobs serves media objects with their variants, and receives direct uploads.
func mountBlobs(mux *http.ServeMux, blobs *disk.Store, media *assets.Media) {
	files := uploads.Images(media, blob.FileHandler(blobs, assets.MediaPrefix), 0, webp.Encode)
	mux.Handle("/media/{id}", files)
	mux.Handle("/media/{id}/{name}", files) // a URL may end with a name, for people
	mux.Handle(uploadPath+"/", blobs.UploadHandler())
}
