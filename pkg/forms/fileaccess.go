package forms

import (
	"context"
	"errors"
	"io"
	"net/url"
	"slices"
	"time"

	"headless/pkg/assets/upload"
	"headless/pkg/blob"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/forms/files"
	"headless/pkg/input"
	"headless/pkg/site"
)

// maxDownload is the size up to which a file that could be downloaded from its store is part of an answer: a
// Lambda response may have 6 MB.
const maxDownload = 4 << 20

// downloadTime is how long the address of a download holds.
const downloadTime = time.Minute

// uploadInput is the body that begins a direct upload.
type uploadInput struct {
	Name *string `json:"name"`
	Mime *string `json:"mime"`
	Size *int64  `json:"size"`
}

// BeginUpload begins the direct upload of a file, which a submission of the form may take within an hour.
// siteNow is the configuration, nil to read it. Errors: FORM_NOT_FOUND, FORM_INACTIVE, VALIDATION_FAILED,
// UNSUPPORTED_MEDIA_TYPE for a type that no field of the form takes, FILE_TOO_LARGE.
func (s *Submissions) BeginUpload(ctx context.Context, siteNow *site.Site, slug string,
	body map[string]any) (begun upload.Direct, err error) {
	err = s.Store.Retry(ctx, func() (err error) {
		if siteNow == nil {
			if siteNow, err = s.Store.Site(ctx); err != nil {
				return err
			}
		}
		form, err := PublicForm(siteNow, slug)
		if err != nil {
			return err
		}
		f, err := s.announcedFile(form, body)
		if err != nil {
			return err
		}
		tx := s.Store.Begin()
		f.ID = files.NewID(tx.At().Time)
		expires := files.Expires(f.ID)
		target, err := s.Files.Blobs.PresignUpload(ctx, f.Unsent(),
			blob.Upload{Size: f.Size, Meta: f.Meta(upload.TransferType(f.Mime)), Expires: expires})
		if err != nil {
			return err
		}
		begun = upload.Direct{ID: f.ID, Upload: upload.Target(target), ExpiresAt: cms.At(expires)}
		site.RequireSite(tx, siteNow)
		siteNow = nil // a retry reloads the configuration
		if err := files.Expect(ctx, s.Store.DB, tx, f); err != nil {
			return err
		}
		return s.Store.Commit(ctx, tx)
	})
	return begun, err
}

// announcedFile checks what a visitor says about a file.
func (s *Submissions) announcedFile(form *cms.Form, body map[string]any) (*files.File, error) {
	in, p := input.Decode[uploadInput](body)
	f := &files.File{FormID: form.ID, Direct: true}
	f.Name, f.Mime, f.Size = upload.CheckAnnounced(p, in.Name, in.Mime, in.Size)
	if err := p.Err(); err != nil {
		return nil, err
	}
	kind, err := s.Files.Inspector.CheckName(f.Name, f.Mime)
	if err != nil {
		return nil, err
	}
	f.Mime = kind
	if !slices.ContainsFunc(form.Fields, func(field cms.FormField) bool {
		return field.Type == cms.FormFile && cms.MatchMime(field.Mimes, kind)
	}) {
		return nil, cms.Errorf(cms.CodeUnsupportedMedia, "This form takes no files of the type %s.", kind)
	}
	most := int64(files.MaxBytes)
	if kind == upload.MimeSVG {
		most = upload.MaxSVGBytes
	}
	if f.Size > most {
		return nil, cms.Errorf(cms.CodeFileTooLarge, "The file has more than %d bytes.", most)
	}
	return f, nil
}

// ShownFields returns the fields of a submission with the addresses of its files.
func ShownFields(v *cms.Submission, slug, siteURL string) cms.SubmissionFields {
	fields := slices.Clone(v.Fields)
	for i := range fields {
		if file := fields[i].File; file != nil {
			fields[i].Value = cms.ShownFile{Name: file.Name, Size: file.Size, Mime: file.Mime,
				URL: siteURL + "/admin/forms/" + url.PathEscape(slug) + "/submissions/" + v.ID + "/files/" + fields[i].Name}
		}
	}
	return fields
}

// Download is a file of a submission: its content, or an address for a minute if that is too large for an
// answer.
type Download struct {
	Meta    blob.Meta
	Content []byte
	Address string
}

// Download opens the file of a field of a submission; NOT_FOUND if it has none.
func (s *Submissions) Download(ctx context.Context, slug, id, field string) (d Download, err error) {
	if err := input.Permit(ctx, cms.ActionRead, cms.AreaForms, "submission"); err != nil {
		return d, err
	}
	_, _, v, _, err := s.readSubmission(ctx, slug, id)
	if err != nil {
		return d, err
	}
	stored := v.Fields.Named(field).File
	if stored == nil {
		return d, input.NotFound(db.ErrNotFound, "file")
	}
	f := &files.File{StoredFile: *stored, FormID: v.FormID}
	d.Meta = f.Meta(upload.ContentType(f.Mime))
	if from, ok := s.Files.Blobs.(blob.Downloads); ok && f.Size > maxDownload {
		d.Address, err = from.PresignDownload(ctx, f.Object(), s.Store.Clock().Add(downloadTime))
		return d, err
	}
	object, err := s.Files.Blobs.Get(ctx, f.Object(), blob.Range{})
	if errors.Is(err, blob.ErrNotFound) {
		return d, input.NotFound(db.ErrNotFound, "file")
	}
	if err != nil {
		return d, err
	}
	defer object.Body.Close()
	d.Content, err = io.ReadAll(object.Body)
	return d, err
}
