package upload

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"unicode/utf8"

	"headless/pkg/cms"
)

// Limits of an upload beside that of its file.
const (
	maxParts     = 100      // of any name
	maxTextBytes = 64 << 10 // of a text part
	maxOverhead  = 1 << 20  // of the body beside the file: boundaries, headers, texts, unknown parts
)

// Upload is a multipart upload (specification §4.2). Close removes what it holds.
type Upload struct {
	ID   string // of the file, for imports; "" for a new one
	Name string // as CleanName gives it
	File io.ReadSeeker
	Size int64

	FolderID, Alt, Caption string // "" when not sent

	CreatedAt cms.Time // for imports; zero for now

	spool *spool
}

// Close frees the file, which must not be read any more.
func (u *Upload) Close() error { return u.spool.Close() }

// ReadUpload reads the body of a request part by part: the file into memory up to 8 MiB and into a
// temporary file beyond, the texts into memory, parts of other names into nothing. A file of more
// than maxBytes, or a body that could not hold a smaller one, is FILE_TOO_LARGE, and no more than
// that is read.
//
// Another content type is UNSUPPORTED_MEDIA_TYPE; a body that is malformed, cut short or of more
// than 100 parts BAD_REQUEST; a missing file, a part sent twice, a text that is not UTF-8 or has
// over 64 KiB VALIDATION_FAILED on the part's name.
func ReadUpload(r *http.Request, maxBytes int64) (*Upload, error) {
	reader, err := partsOf(r, maxBytes)
	if err != nil {
		return nil, err
	}
	u := uploadReader{maxBytes: maxBytes, problems: cms.Problems{}, seen: make(map[string]bool)}
	if err := u.readParts(reader); err != nil {
		return nil, errors.Join(readError(err, maxBytes), u.upload.spool.Close())
	}
	if !u.seen["file"] {
		u.problems.Add("file", "A file is required: a part named \"file\" with a file name.")
	}
	if err := u.problems.Err(); err != nil {
		return nil, errors.Join(err, u.upload.spool.Close())
	}
	return &u.upload, nil
}

// partsOf starts reading the body, whose length is bounded from here on.
func partsOf(r *http.Request, maxBytes int64) (*multipart.Reader, error) {
	kind, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "multipart/form-data" {
		return nil, cms.Errorf(cms.CodeUnsupportedMedia, "Send the file as multipart/form-data.")
	}
	if err != nil || parameters["boundary"] == "" || len(parameters["boundary"]) > 70 { // RFC 2046
		return nil, cms.Errorf(cms.CodeBadRequest, "The Content-Type header has no valid boundary.")
	}
	if r.ContentLength > maxBytes+maxOverhead {
		return nil, tooLarge(maxBytes)
	}
	body := http.MaxBytesReader(nil, r.Body, maxBytes+maxOverhead)
	// The library takes the end of the body inside a part's headers for the end of all parts, so
	// the body ends with an error instead, after a line break for clients that leave it out behind
	// the last boundary.
	whole := io.MultiReader(body, strings.NewReader("\r\n"), cutShort{})
	return multipart.NewReader(CleanPartHeaders(whole, parameters["boundary"]), parameters["boundary"]), nil
}

// cutShort is what stands behind the last byte of a body.
type cutShort struct{}

func (cutShort) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func tooLarge(maxBytes int64) error {
	return cms.Errorf(cms.CodeFileTooLarge, "The file has more than %d bytes.", maxBytes)
}

// readError tells the client why its body could not be read.
func readError(err error, maxBytes int64) error {
	var known *cms.Error
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &known), errors.Is(err, errSpool):
		return err
	case errors.As(err, &tooLong):
		return tooLarge(maxBytes)
	}
	return cms.Errorf(cms.CodeBadRequest, "The multipart body is malformed or cut short.")
}

type uploadReader struct {
	upload   Upload
	maxBytes int64
	problems cms.Problems
	seen     map[string]bool
}

func (u *uploadReader) readParts(reader *multipart.Reader) error {
	for count := 0; ; count++ {
		part, err := reader.NextRawPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if count == maxParts {
			return cms.Errorf(cms.CodeBadRequest, "The body has more than %d parts.", maxParts)
		}
		if err := u.readPart(part); err != nil {
			return err
		}
	}
}

func (u *uploadReader) readPart(part *multipart.Part) error {
	_, disposition, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if err != nil {
		return cms.Errorf(cms.CodeBadRequest, "A part has a malformed Content-Disposition header.")
	}
	name := disposition["name"]
	switch {
	case name != "file" && u.textField(name) == nil, name == "file" && disposition["filename"] == "":
		return nil // NextRawPart skips what is left of a part
	case u.seen[name]:
		u.problems.Add(name, "This part is sent twice.")
		return nil
	}
	u.seen[name] = true
	if name == "file" {
		u.upload.Name = CleanName(disposition["filename"])
		return u.readFile(part)
	}
	return u.readText(part, name)
}

// textField is where the text of a part belongs; nil for one of another name.
func (u *uploadReader) textField(name string) *string {
	switch name {
	case "folder_id":
		return &u.upload.FolderID
	case "alt":
		return &u.upload.Alt
	case "caption":
		return &u.upload.Caption
	}
	return nil
}

func (u *uploadReader) readText(part io.Reader, name string) error {
	text, err := io.ReadAll(io.LimitReader(part, maxTextBytes+1))
	switch {
	case err != nil:
		return err
	case len(text) > maxTextBytes:
		u.problems.Add(name, "This text has more than %d bytes.", maxTextBytes)
	case !utf8.Valid(text):
		u.problems.Add(name, "This text is not UTF-8.")
	default:
		*u.textField(name) = string(text)
	}
	return nil
}

func (u *uploadReader) readFile(part io.Reader) error {
	file, err := newSpool(io.LimitReader(part, u.maxBytes+1))
	if err != nil {
		return err
	}
	u.upload.spool, u.upload.File, u.upload.Size = file, file, file.size
	if file.size > u.maxBytes {
		return tooLarge(u.maxBytes)
	}
	return nil
}
