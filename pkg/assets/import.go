package assets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

	"headless/pkg/assets/upload"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// importedMedia is a line of media.jsonl; keys that follow from the content are ignored.
type importedMedia struct {
	ID      *string `json:"id"`
	Name    *string `json:"name"`
	Alt     *string `json:"alt"`
	Caption *string `json:"caption"`
	Folder  *string `json:"folder"`
}

// Import stores the texts, name and folder of a file as a line of an export has them.
// FILE_NOT_FOUND for a file whose content was not sent yet; see ImportContent.
func (s *Media) Import(ctx context.Context, actor cms.Actor, line map[string]any,
	o input.ImportOptions) (id, result string, err error) {
	var in importedMedia
	p := cms.Problems{}
	input.Decode(line, &in, p, "model", "url", "mime", "size", "width", "height", "sha256", "file",
		"focal", "placeholder", "srcset")
	if raw, ok := line["id"].(string); ok {
		id, _ = input.CanonicalID(raw)
	}
	if err := p.Err(); err != nil {
		return id, "", err
	}
	stored, err := s.Get(ctx, id)
	if errors.Is(err, errFileNotFound) {
		return id, "",
			cms.Errorf(cms.CodeFileNotFound,
				"The content of this file was not sent yet: POST /admin/import/media.")
	}
	if err != nil {
		return id, "", err
	}
	change, err := s.importedChange(ctx, stored, in)
	switch {
	case err != nil:
		return id, "", err
	case len(change) == 0:
		return id, input.ImportUnchanged, nil
	case o.OnConflict == input.ImportSkip:
		return id, input.ImportSkipped, nil
	case o.OnConflict == input.ImportFail:
		return id, "", cms.Errorf(cms.CodeConflict, "A file of this id is there already, and differs.")
	case o.DryRun:
		return id, input.ImportUpdated, nil
	}
	_, err = s.Update(ctx, actor, id, change, nil)
	return id, input.ImportUpdated, err
}

// importedChange is the body of the update that makes a file as its line says.
func (s *Media) importedChange(ctx context.Context, stored cms.Media,
	in importedMedia) (map[string]any, error) {
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
	if in.Folder == nil || *in.Folder == stored.Folder {
		return change, nil
	}
	folder, err := s.folderNamed(ctx, *in.Folder)
	if err == nil && (folder != "" || *in.Folder == "") {
		change["folder_id"] = folder
	}
	return change, err
}

// folderNamed is the id of a folder, "" where there is none of this name.
func (s *Media) folderNamed(ctx context.Context, name string) (string, error) {
	folders, err := s.Store.Folders(ctx)
	for _, f := range folders {
		if f.Name == name {
			return f.ID, err
		}
	}
	return "", err
}

// ImportContent stores a file under the id that it had elsewhere; sha256, where given, is the
// hexadecimal hash of its bytes. Errors: those of Upload, CONFLICT where there is a file of this
// id.
func (s *Media) ImportContent(ctx context.Context, actor cms.Actor, u *upload.Upload,
	hash string) (cms.Media, error) {
	id, ok := input.CanonicalID(u.ID)
	if !ok {
		return cms.Media{}, cms.Problems{"id": {"must be a UUID"}}.Err()
	}
	u.ID = id
	if _, err := s.Store.Media(ctx, id); err == nil {
		return cms.Media{}, cms.Errorf(cms.CodeConflict, "There is a file of this id already.")
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
