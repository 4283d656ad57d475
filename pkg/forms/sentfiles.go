package forms

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"

	"headless/pkg/assets/upload"
	"headless/pkg/blob"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/forms/files"
	"headless/pkg/input"
	"headless/pkg/site"
)

// sentFile is the file of one field of a submission: in its body, or a direct upload.
type sentFile struct {
	files.File
	field  *cms.FormField
	upload *upload.Upload // nil for a direct upload. It has an ID once it is stored
	value  *cms.StoredFile

	sent      *blob.Reader // of a direct upload
	info      blob.Info    // of sent
	content   io.ReadSeeker
	announced int64 // bytes that are counted already
}

// readFile reads the value of a field of the type file; nil if there is none to store.
func readFile(f *cms.FormField, v any, p cms.Problems) *sentFile {
	if files, ok := v.([]*upload.Upload); ok {
		if len(files) > 1 {
			p.Add(f.Name, "takes one file")
			return nil
		}
		return &sentFile{field: f, upload: files[0], value: &cms.StoredFile{}}
	}
	v = lastOf(v)
	begun, isObject := v.(map[string]any)
	if isObject { // the answer to the start of a direct upload
		v = begun["id"]
	}
	text, isText := v.(string)
	if !isObject && (v == nil || isText && strings.TrimSpace(text) == "") {
		if f.Required {
			p.Add(f.Name, "is required")
		}
		return nil
	}
	id, ok := input.CanonicalID(text)
	if !ok {
		p.Add(f.Name, "must be a file in a multipart body, or the id of a direct upload")
		return nil
	}
	return &sentFile{field: f, File: files.File{StoredFile: cms.StoredFile{ID: id}}, value: &cms.StoredFile{}}
}

// countFiles adds a problem for each file beyond the limit, and for each that is named twice.
func countFiles(sent []*sentFile, p cms.Problems) {
	seen := map[string]bool{}
	for i, f := range sent {
		switch {
		case i >= maxFiles:
			p.Add(f.field.Name, "is one file too many: a submission takes %d", maxFiles)
		case f.upload == nil && seen[f.ID]:
			p.Add(f.field.Name, "is the file of another field")
		}
		seen[f.ID] = true
	}
}

// checkFiles looks into the files of a submission and adds a problem for each that is not accepted.
func (s *Submissions) checkFiles(ctx context.Context, form *cms.Form, sent []*sentFile, p cms.Problems) error {
	for _, f := range sent {
		if err := s.checkFile(ctx, form, f); err != nil {
			if err := fileProblem(err, f.field.Name, p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Submissions) checkFile(ctx context.Context, form *cms.Form, f *sentFile) error {
	var source io.ReadSeeker
	if f.upload != nil {
		f.File = files.File{FormID: form.ID,
			StoredFile: cms.StoredFile{ID: f.upload.ID, Name: f.upload.Name, Size: f.upload.Size}}
		source = f.upload.File
	} else {
		if err := s.openDirect(ctx, form, f); err != nil {
			return err
		}
		source = f.sent
	}
	if _, err := source.Seek(0, io.SeekStart); err != nil {
		return err
	}
	found, content, err := s.Files.Inspector.Read(f.Name, source)
	switch {
	case err != nil:
		return err
	case f.Direct && found.Mime != f.Mime:
		return cms.Errorf(cms.CodeUnsupportedMedia, "The content of the file is %s, not %s.", found.Mime, f.Mime)
	case !cms.MatchMime(f.field.Mimes, found.Mime):
		return cms.Errorf(cms.CodeUnsupportedMedia, "Files of the type %s are not accepted here.", found.Mime)
	}
	f.content, f.Mime, f.announced = content, found.Mime, f.Size
	f.Size = cmp.Or(found.Size, f.Size)
	return nil
}

// openDirect finds the object of a direct upload. An error of the visitor has a code.
func (s *Submissions) openDirect(ctx context.Context, form *cms.Form, f *sentFile) error {
	lone, err := files.Find(ctx, s.Store.DB, f.ID)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	if err != nil || lone.FormID != form.ID || !lone.Direct || !lone.IsOpen(s.Store.Clock()) {
		return cms.Errorf(cms.CodeFileNotFound, "is not an open upload of this form: send the file again")
	}
	info, err := s.Files.Blobs.Stat(ctx, lone.Unsent())
	if errors.Is(err, blob.ErrNotFound) {
		return cms.Errorf(cms.CodeFileNotFound, "was not sent yet")
	}
	if err != nil {
		return err
	}
	if info.Size != lone.Size {
		return cms.Errorf(cms.CodeFileNotFound, "has %d bytes, not %d", info.Size, lone.Size)
	}
	f.File, f.info, f.sent = *lone, info, blob.NewReader(ctx, s.Files.Blobs, info)
	return nil
}

// storeFiles stores the files of a submission in the place where they stay, but not those in the body that
// it has stored before.
func (s *Submissions) storeFiles(ctx context.Context, siteNow *site.Site, sent []*sentFile) error {
	tx := s.Store.Begin()
	var fresh []*files.File
	for _, f := range sent {
		if f.upload != nil && f.upload.ID == "" {
			f.ID = files.NewID(tx.At().Time)
			fresh = append(fresh, &f.File)
		}
	}
	if len(fresh) > 0 {
		site.RequireSite(tx, siteNow)
		if err := files.Expect(ctx, s.Store.DB, tx, fresh...); err != nil {
			return err
		}
		if err := s.Store.Commit(ctx, tx); err != nil {
			return err
		}
	}
	for _, f := range sent {
		if err := s.storeFile(ctx, f); err != nil {
			return err
		}
		*f.value = f.StoredFile
	}
	return nil
}

func (s *Submissions) storeFile(ctx context.Context, f *sentFile) error {
	switch {
	case f.upload != nil && f.upload.ID != "":
		return nil
	case f.content == io.ReadSeeker(f.sent):
		return s.Files.Blobs.Copy(ctx, f.info, f.Object()) // info ensures that the copied bytes are the checked ones
	}
	err := s.Files.Blobs.Put(ctx, f.Object(), f.content, f.Meta(upload.ContentType(f.Mime)))
	if err == nil && f.upload != nil {
		f.upload.ID = f.ID
	}
	return err
}

// takeFiles gives files to the submission that a transaction creates.
func (s *Submissions) takeFiles(ctx context.Context, tx *db.Tx, sent []*sentFile) error {
	changed := int64(0) // sanitizing changes the size of a drawing
	for _, f := range sent {
		files.Take(tx, &f.File)
		if f.Direct {
			changed += f.Size - f.announced
		}
	}
	if changed == 0 {
		return nil
	}
	return files.Count(ctx, s.Store.DB, tx, sent[0].FormID, changed)
}

// forgetSent removes the objects of direct uploads after a submission has copies of them. The sweeper removes
// those that are left.
func (s *Submissions) forgetSent(ctx context.Context, sent []*sentFile) {
	for _, f := range sent {
		if !f.Direct {
			continue
		}
		if err := s.Files.Blobs.Delete(ctx, f.Unsent()); err != nil {
			s.Log.WarnContext(ctx, "the object of a direct upload is left to the sweeper", "file", f.ID,
				"error", err.Error())
		}
	}
}

// fileProblem turns an error about the content of a file into the problem of its field. Other errors stay.
func fileProblem(err error, field string, p cms.Problems) error {
	var e *cms.Error
	if !errors.As(err, &e) || e.Code == cms.CodeUnavailable {
		return err
	}
	switch messages := e.Details["file"]; {
	case e.Code == cms.CodeFileNotFound: // of openDirect
		p.Add(field, "%s", e.Message)
	case len(messages) > 0:
		p.Add(field, "was refused: %s", strings.Join(messages, " "))
	default:
		p.Add(field, "was refused: %s", e.Message)
	}
	return nil
}
