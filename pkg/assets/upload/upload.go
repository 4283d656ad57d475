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

// Limits of an upload in addition to the limit of its file.
const (
	maxParts     = 100      // with any name
	maxTextBytes = 64 << 10 // of one text part
	maxOverhead  = 1 << 20  // of the body without the file: boundaries, headers, texts, unknown parts
)

// Upload is a multipart upload (specification §4.2). Close removes its temporary file.
type Upload struct {
	ID   string // of the file, for imports; "" for a new one
	Name string // from CleanName
	File io.ReadSeeker
	Size int64

	FolderID, Alt, Caption string // "" when not sent
	Alts                   string // JSON; "" when not sent

	CreatedAt cms.Time // for imports; zero: now

	spool *spool
}

// Close removes the file, which must not be read afterwards.
func (u *Upload) Close() error { return u.spool.Close() }

// ReadUpload reads the body of a request part by part. The file is kept in memory up to 8 MiB, and
// in a temporary file above that. Parts with other names are discarded. FILE_TOO_LARGE for a file
// of more than maxBytes, and for a Content-Length that is too large for any smaller file. It reads
// no more than that.
//
// UNSUPPORTED_MEDIA_TYPE for another content type. BAD_REQUEST for a body that is malformed,
// truncated or has more than 100 parts. VALIDATION_FAILED on the part's name for a missing file, a
// repeated part, and a text that is not UTF-8 or has more than 64 KiB.
func ReadUpload(r *http.Request, maxBytes int64) (*Upload, error) {
	if r.ContentLength > maxBytes+maxOverhead {
		return nil, tooLarge(maxBytes)
	}
	reader, err := partsOf(r, maxBytes)
	if err != nil {
		return nil, err
	}
	u := uploadReader{maxBytes: maxBytes, problems: cms.Problems{}, seen: make(map[string]bool)}
	if err := eachPart(reader, u.readPart); err != nil {
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

// partsOf starts to read the body and limits its length.
func partsOf(r *http.Request, maxBytes int64) (*multipart.Reader, error) {
	kind, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "multipart/form-data" {
		return nil, cms.Errorf(cms.CodeUnsupportedMedia, "Send the file as multipart/form-data.")
	}
	if err != nil || parameters["boundary"] == "" || len(parameters["boundary"]) > 70 { // RFC 2046
		return nil, cms.Errorf(cms.CodeBadRequest, "The Content-Type header has no valid boundary.")
	}
	body := http.MaxBytesReader(nil, r.Body, maxBytes+maxOverhead)
	// If the body ends inside a part's headers, the library reports the end of all parts. So an
	// error is appended to the body. The line break before it is for clients that send none after
	// the last boundary.
	whole := io.MultiReader(body, strings.NewReader("\r\n"), cutShort{})
	return multipart.NewReader(CleanPartHeaders(whole, parameters["boundary"]), parameters["boundary"]), nil
}

// cutShort is the error that is appended to a body.
type cutShort struct{}

func (cutShort) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func tooLarge(maxBytes int64) error {
	return cms.Errorf(cms.CodeFileTooLarge, "The file has more than %d bytes.", maxBytes)
}

// readError returns the error for a client whose body could not be read.
func readError(err error, maxBytes int64) error {
	var known *cms.Error
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &known), errors.Is(err, errSpool):
		return err
	case errors.As(err, &tooLong):
		return tooLarge(maxBytes)
	}
	return cms.Errorf(cms.CodeBadRequest, "The multipart body is malformed or truncated.")
}

type uploadReader struct {
	upload   Upload
	maxBytes int64
	problems cms.Problems
	seen     map[string]bool
}

// eachPart calls read with each part and the parameters of its Content-Disposition header.
func eachPart(reader *multipart.Reader, read func(*multipart.Part, map[string]string) error) error {
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
		_, disposition, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
		if err != nil {
			return cms.Errorf(cms.CodeBadRequest, "A part has a malformed Content-Disposition header.")
		}
		if err := read(part, disposition); err != nil {
			return err
		}
	}
}

func (u *uploadReader) readPart(part *multipart.Part, disposition map[string]string) error {
	name := disposition["name"]
	switch {
	case name != "file" && u.textField(name) == nil, name == "file" && disposition["filename"] == "":
		return nil // NextRawPart skips the rest of a part
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

// textField returns the variable for the text of a part, nil for parts with other names.
func (u *uploadReader) textField(name string) *string {
	switch name {
	case "folder_id":
		return &u.upload.FolderID
	case "alt":
		return &u.upload.Alt
	case "alts":
		return &u.upload.Alts
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
