package assets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"reflect"
	"slices"

	"headless/pkg/assets/upload"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// importedMedia is a line of media.jsonl. Keys that depend on the content only are ignored.
type importedMedia struct {
	ID      *string `json:"id"`
	Name    *string `json:"name"`
	Alt     *string `json:"alt"`
	Caption *string `json:"caption"`
	Folder  *string `json:"folder"`

	Focal **focalInput `json:"focal"`
	Crop  **cropInput  `json:"crop"`

	Decorative *bool `json:"decorative"`

	Tags *[]string `json:"tags"`

	Alts *map[string]string `json:"alts"`
}

// Import stores the texts, name, folder, tags, focal point and crop of a file from a line of an export.
// FILE_NOT_FOUND if the content has not been sent yet; see ImportContent. A dry run assumes that
// the content of a line with a hash will be sent.
func (s *Media) Import(ctx context.Context, actor cms.Actor, line map[string]any,
	o input.ImportOptions) (id, result string, err error) {
	in, p := input.Decode[importedMedia](line, "model", "url", "mime", "size", "width", "height", "sha256", "file",
		"placeholder", "srcset")
	if raw, ok := line["id"].(string); ok {
		id, _ = input.CanonicalID(raw)
	}
	if err := p.Err(); err != nil {
		return id, "", err
	}
	stored, err := s.Get(ctx, id)
	if hash, _ := line["sha256"].(string); errors.Is(err, errFileNotFound) && o.DryRun &&
		hash != "" && id != "" {
		return id, input.ImportCreated, nil
	}
	if errors.Is(err, errFileNotFound) {
		return id, "",
			cms.Errorf(cms.CodeFileNotFound, "Send the content of this file first, with POST /admin/import/media.")
	}
	if err != nil {
		return id, "", err
	}
	change, err := s.importedChange(ctx, stored, in, line)
	switch {
	case err != nil:
		return id, "", err
	case len(change) == 0:
		return id, input.ImportUnchanged, nil
	case o.OnConflict == input.ImportSkip:
		return id, input.ImportSkipped, nil
	case o.OnConflict == input.ImportFail:
		return id, "", cms.Errorf(cms.CodeConflict, "There is already a file with this id, and it differs.")
	case o.DryRun:
		return id, input.ImportUpdated, nil
	}
	_, err = s.Update(ctx, actor, id, change, nil)
	return id, input.ImportUpdated, err
}

// importedChange returns the body of the update that makes a file equal to its line, of which in has the values.
func (s *Media) importedChange(ctx context.Context, stored cms.Media, in importedMedia,
	line map[string]any) (map[string]any, error) {
	change := map[string]any{}
	for _, v := range []struct {
		key string
		in  *string
		was string
	}{{"name", in.Name, stored.Name}, {"alt", in.Alt, stored.Alt}, {"caption", in.Caption, stored.Caption}} {
		if v.in != nil && *v.in != v.was {
			change[v.key] = *v.in
		}
	}
	if in.Decorative != nil && *in.Decorative != stored.Decorative {
		change["decorative"] = *in.Decorative
	}
	if in.Tags != nil && !slices.Equal(*in.Tags, stored.Tags) {
		change["tags"] = line["tags"]
	}
	if in.Alts != nil {
		known, err := s.localesOfAlts(ctx, stored.Alts)
		if err != nil {
			return nil, err
		}
		maps.DeleteFunc(*in.Alts, func(code, _ string) bool { return !known(code) })
	}
	if in.Alts != nil && !maps.Equal(*in.Alts, stored.Alts) {
		alts := map[string]any{}
		for code := range stored.Alts {
			alts[code] = nil
		}
		for code, text := range *in.Alts {
			alts[code] = text
		}
		change["alts"] = alts
	}
	p, want := cms.Problems{}, Asset{}
	if in.Crop != nil && !reflect.DeepEqual(stored.Crop, (*in.Crop).read(p)) {
		change["crop"] = line["crop"]
	}
	if in.Focal != nil {
		(*in.Focal).applyTo(&want, p)
		if _, moved := change["crop"]; moved || !reflect.DeepEqual(stored.Focal, want.Focal) {
			change["focal"] = line["focal"]
		}
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	if in.Folder == nil || *in.Folder == stored.Folder {
		return change, nil
	}
	folder, err := s.folderNamed(ctx, *in.Folder)
	if err == nil && (folder != "" || *in.Folder == "") {
		change["folder_id"] = folder
	}
	return change, err
}

// folderNamed returns the id of a folder, "" if no folder has this name.
func (s *Media) folderNamed(ctx context.Context, name string) (string, error) {
	folders, err := s.Store.Folders(ctx)
	for _, f := range folders {
		if f.Name == name {
			return f.ID, err
		}
	}
	return "", err
}

// ImportContent stores a file with the id from its former site. sha256, if not "", is the expected
// hash of its bytes in hexadecimal. Errors: those of Upload, CONFLICT if a file has this id.
func (s *Media) ImportContent(ctx context.Context, actor cms.Actor, u *upload.Upload,
	hash string) (cms.Media, error) {
	id, ok := input.CanonicalID(u.ID)
	if !ok {
		return cms.Media{}, cms.Problems{"id": {"must be a UUID"}}.Err()
	}
	u.ID = id
	if _, err := s.Store.Media(ctx, id); err == nil {
		return cms.Media{}, errFileThere
	} else if !errors.Is(err, db.ErrNotFound) {
		return cms.Media{}, err
	}
	if hash != "" {
		sum := sha256.New()
		if _, err := io.Copy(sum, u.File); err != nil {
			return cms.Media{}, err
		}
		if _, err := u.File.Seek(0, io.SeekStart); err != nil {
			return cms.Media{}, err
		}
		if got := hex.EncodeToString(sum.Sum(nil)); got != hash {
			return cms.Media{}, cms.Problems{"sha256": {"is not the hash of the file, " + got}}.Err()
		}
	}
	return s.Upload(ctx, actor, u)
}

// ImportDirect starts the direct upload of a file with the id and created_at from its former site.
// Complete completes it. If it is repeated while the upload is open, it returns the same result.
// Errors: those of Direct, CONFLICT if a file or another upload has this id.
func (s *Media) ImportDirect(ctx context.Context, body map[string]any) (upload.Direct, error) {
	u, err := s.directUpload(ctx, body)
	if err != nil {
		return upload.Direct{}, err
	}
	id, _ := body["id"].(string)
	var ok bool
	if u.ID, ok = input.CanonicalID(id); !ok {
		return upload.Direct{}, cms.Problems{"id": {"must be a UUID"}}.Err()
	}
	if u.CreatedAt, err = ImportTime(body["created_at"]); err != nil {
		return upload.Direct{}, err
	}
	var begun upload.Direct
	err = s.Store.Retry(ctx, func() error {
		open, file, err := s.Store.DirectUpload(ctx, u.ID)
		switch {
		case err != nil:
			return err
		case file != nil:
			return errFileThere
		case open == nil:
			begun, err = s.beginUpload(ctx, u)
			return err
		}
		if open.Name != u.Name || open.Mime != u.Mime || open.Size != u.Size {
			return cms.Errorf(cms.CodeConflict, "There is already another upload with this id.")
		}
		begun, err = s.uploadTarget(ctx, *open)
		return err
	})
	return begun, err
}

// ImportTime reads the time of a file; null and "" are the zero time.
func ImportTime(v any) (cms.Time, error) {
	if v == "" {
		v = nil
	}
	p := cms.Problems{}
	return input.Given(input.ImportTime(p, "created_at", v), cms.Time{}), p.Err()
}

var errFileThere = cms.Errorf(cms.CodeConflict, "There is already a file with this id.")
