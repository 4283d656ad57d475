package importing

import (
	"cmp"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/url"

	"headless/pkg/cms"
	"headless/scripts/cms/client"
	"headless/scripts/cms/folder"
)

// errDiffers is the error for different bytes if OnConflict is fail.
var errDiffers = &client.Error{Code: "CONFLICT", Message: "A file of this id is there already, and its bytes differ."}

// errTooLarge is the error for different bytes that are too many for one request.
var errTooLarge = &client.Error{Code: "FILE_TOO_LARGE", Message: "Its bytes differ from those that " +
	"are there, and are too many to replace them. Delete the file there, and import again."}

// storedFile is a file on the service.
type storedFile struct {
	URL  string `json:"url"`
	Size int64  `json:"size"`
}

// findStored returns the file on the service, nil if it has none.
func (f importedFile) findStored(c *client.Client) (*storedFile, error) {
	var stored storedFile
	err := c.JSON(http.MethodGet, "/admin/media/"+url.PathEscape(f.ID), nil, &stored)
	var refused *client.Error
	switch {
	case err == nil:
		stored.URL = cms.OriginalURL(stored.URL)
		return &stored, nil
	case errors.As(err, &refused):
		return nil, nil // the upload says what is wrong with it
	}
	return nil, err
}

// replace sends content if the service has different bytes. An SVG is stored as a
// sanitized copy, which differs from what was sent. So the result depends on whether the stored
// bytes changed.
func (f importedFile) replace(c *client.Client, content io.ReadSeeker, there *storedFile,
	o Options) (result string, err error) {
	was, err := f.hashThere(there, content)
	switch {
	case err != nil || was == f.SHA256:
		return "", err
	case o.OnConflict == ConflictSkip:
		return ResultSkipped, nil
	case o.OnConflict == ConflictFail:
		return "", errDiffers
	case f.Size > maxContent:
		return "", errTooLarge
	case o.DryRun:
		return ResultUpdated, nil
	}
	path := "/admin/media/" + url.PathEscape(f.ID) + "/content"
	if err := sendForm(c, http.MethodPut, path, importedFile{Name: f.Name}, content); err != nil {
		return "", err
	}
	now, err := folder.Hash(there.URL, "")
	if now == was {
		return "", err
	}
	return ResultUpdated, err
}

// hashThere returns the hash of the bytes on the service. If their ETag shows that they equal
// content, as ETags of S3 do, they are not downloaded.
func (f importedFile) hashThere(there *storedFile, content io.ReadSeeker) (string, error) {
	etag := ""
	if there.Size == f.Size {
		sum := md5.New() // as in ETags of S3
		if _, err := io.Copy(sum, content); err != nil {
			return "", err
		}
		if _, err := content.Seek(0, io.SeekStart); err != nil {
			return "", err
		}
		etag = `"` + hex.EncodeToString(sum.Sum(nil)) + `"`
	}
	hash, err := folder.Hash(there.URL, etag)
	hash = cmp.Or(hash, f.SHA256) // they have this ETag
	return hash, err
}
