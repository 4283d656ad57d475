package upload

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"unicode/utf8"

	"headless/pkg/cms"
)

// Form is the body of a multipart form. Close removes its temporary files.
type Form struct {
	Values url.Values
	Files  map[string][]*Upload // by the names of their fields

	maxBytes       int64 // of all files
	left, textLeft int64 // bytes that files and texts may still have
}

// Close removes the files, which must not be read afterwards.
func (f *Form) Close() error {
	var errs []error
	for _, files := range f.Files {
		for _, file := range files {
			errs = append(errs, file.Close())
		}
	}
	return errors.Join(errs...)
}

// ReadForm reads the body of a multipart form. It skips files of the fields for which takes returns false, and
// those of inputs without a chosen file. All files together may have maxBytes, all texts 1 MiB. With an error,
// the form has the values that were read until then, and no files.
//
// UNSUPPORTED_MEDIA_TYPE for another content type. FILE_TOO_LARGE and PAYLOAD_TOO_LARGE for more bytes.
// BAD_REQUEST for a body that is malformed, truncated, has more than 100 parts or a text that is not UTF-8.
func ReadForm(r *http.Request, maxBytes int64, takes func(field string) bool) (*Form, error) {
	f := &Form{Values: url.Values{}, maxBytes: maxBytes, left: maxBytes, textLeft: maxOverhead}
	reader, err := partsOf(r, maxBytes)
	if err != nil {
		return f, err
	}
	f.Files = map[string][]*Upload{}
	err = eachPart(reader, func(part *multipart.Part, disposition map[string]string) error {
		field := disposition["name"]
		name, isFile := disposition["filename"]
		switch {
		case !isFile:
			return f.readText(part, field)
		case name == "" || !takes(field):
			return nil // the rest of a part is skipped
		}
		return f.readFile(part, field, name)
	})
	if err == nil {
		return f, nil
	}
	err = errors.Join(readError(err, maxBytes), f.Close())
	f.Files = nil
	return f, err
}

func (f *Form) readText(part io.Reader, field string) error {
	text, err := io.ReadAll(io.LimitReader(part, f.textLeft+1))
	if err != nil {
		return err
	}
	if f.textLeft -= int64(len(text)); f.textLeft < 0 {
		return cms.Errorf(cms.CodePayloadTooLarge, "The texts of the form are over %d bytes.", maxOverhead)
	}
	if !utf8.Valid(text) {
		return cms.Errorf(cms.CodeBadRequest, "The body is not valid UTF-8.")
	}
	f.Values.Add(field, string(text))
	return nil
}

func (f *Form) readFile(part io.Reader, field, name string) error {
	file, err := newSpool(io.LimitReader(part, f.left+1))
	if err != nil {
		return err
	}
	f.Files[field] = append(f.Files[field], &Upload{Name: CleanName(name), File: file, Size: file.size, spool: file})
	if f.left -= file.size; f.left < 0 {
		return cms.Errorf(cms.CodeFileTooLarge, "The files have more than %d bytes together.", f.maxBytes)
	}
	return nil
}
