// Package inspect reads the content of files: their types, the sizes of their images, and harmful
// parts. It decodes no pixels, unpacks no archives and does not access the storage.
package inspect

import (
	"mime"
	"slices"
	"strings"

	"github.com/gabriel-vasile/mimetype"

	"headless/pkg/assets/picture"
	"headless/pkg/assets/upload"
	"headless/pkg/cms"
)

const (
	mimeJPEG = "image/jpeg"
	mimePNG  = "image/png"
	mimeGIF  = "image/gif"
	mimeWebP = "image/webp"
	mimeAVIF = "image/avif"
	mimeText = "text/plain"
	mimeCSV  = "text/csv"
	mimeTSV  = "text/tab-separated-values"
	mimeZIP  = "application/zip"
	mimeDOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	mimeXLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	mimePPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
)

// DefaultAllowed returns the types that are accepted without configuration (decisions §5).
func DefaultAllowed() []string {
	return []string{
		mimeJPEG, mimePNG, mimeGIF, mimeWebP, mimeAVIF, upload.MimeSVG, "application/pdf",
		"video/mp4", "video/webm", "audio/mpeg",
		mimeText, mimeCSV, mimeZIP, mimeDOCX, mimeXLSX, mimePPTX,
	}
}

// MatchMime reports whether a type without parameters matches a pattern: the type itself,
// "image/*", "*/*" or "*". It ignores case.
func MatchMime(pattern, mime string) bool {
	pattern, mime = strings.ToLower(strings.TrimSpace(pattern)), strings.ToLower(mime)
	if pattern == "*" || pattern == "*/*" {
		return true
	}
	if family, ok := strings.CutSuffix(pattern, "/*"); ok {
		return strings.HasPrefix(mime, family+"/")
	}
	return pattern == mime
}

// Policy defines which files are accepted.
type Policy struct {
	Allowed []string // patterns for MatchMime
}

// Accepting returns the policy for a list of patterns, or for DefaultAllowed if it is empty.
func Accepting(mimes []string) Policy {
	if len(mimes) == 0 {
		mimes = DefaultAllowed()
	}
	return Policy{Allowed: mimes}
}

// New returns the functions of a policy as values, so that programs that only read records do not
// link them.
func New(p Policy) upload.Inspector {
	i := p.Reader()
	i.Placeholder, i.CropPlaceholder = picture.NewMaker().Placeholder, picture.CropPlaceholder
	return i
}

// Reader is like New without placeholders, for programs that do not decode pictures.
func (p Policy) Reader() upload.Inspector {
	return upload.Inspector{Inspect: p.Inspect, CheckName: p.CheckName, Agree: Agree, SanitizeSVG: SanitizeSVG}
}

// Check returns the type of a file from the first headBytes of its content, or all of it if it is
// smaller. UNSUPPORTED_MEDIA_TYPE for a type that is not allowed, and for a name whose extension
// belongs to another type. A name without an extension matches every type. An extension is up to
// ten ASCII letters and digits after the last dot, not digits alone. An extension that belongs to
// no accepted type matches none.
func (p Policy) Check(name string, head []byte) (string, error) {
	sniffed := sniff(head)
	kind, agrees := agree(sniffed, upload.Extension(name))
	if !agrees && len(head) == 0 {
		return "", cms.Errorf(cms.CodeUnsupportedMedia, "The file is empty.")
	}
	if !agrees {
		return "", cms.Errorf(cms.CodeUnsupportedMedia,
			"The content is %s, which does not fit the ending .%s.", describe(kind), upload.Extension(name))
	}
	if err := p.accept(kind); err != nil {
		return "", err
	}
	return kind, nil
}

func (p Policy) accept(kind string) error {
	if !slices.ContainsFunc(p.Allowed, func(pattern string) bool { return MatchMime(pattern, kind) }) {
		return cms.Errorf(cms.CodeUnsupportedMedia, "Files of the type %s are not accepted.", kind)
	}
	return nil
}

// CheckName does the same as Check before the content is known. kind is the type that the client
// announces. It returns the type that the content must have.
func (p Policy) CheckName(name, kind string) (string, error) {
	kind, agrees := Agree(name, kind)
	if err := p.accept(kind); err != nil {
		return "", err
	}
	if !agrees {
		return "", cms.Errorf(cms.CodeUnsupportedMedia,
			"The type is %s, which does not fit the ending .%s.", kind, upload.Extension(name))
	}
	return kind, nil
}

// Agree determines the type of a file from an announced type and its name, and reports whether the
// two match. If a type has several names, it returns the one that sniff uses.
func Agree(name, kind string) (string, bool) {
	if known := mimetype.Lookup(kind); known != nil {
		kind = bare(known.String())
	}
	return agree(kind, upload.Extension(name))
}

// agree determines a type from the type of the content and the extension, and reports whether they
// match. The content decides, with two exceptions: kinds of text, which only the extension can
// distinguish, and office documents that are named .zip.
func agree(sniffed, end string) (string, bool) {
	if end == "" {
		return sniffed, true
	}
	if isLooseText(sniffed) {
		for _, kind := range []string{mimeText, mimeCSV, mimeTSV} {
			if slices.Contains(extensions(kind), end) {
				return kind, true
			}
		}
	}
	if end == "zip" && slices.Contains([]string{mimeDOCX, mimeXLSX, mimePPTX}, sniffed) {
		return mimeZIP, true
	}
	return sniffed, slices.Contains(extensions(sniffed), end)
}

// isLooseText reports whether a type is harmless text that could also be plain text or a table.
// Markup and scripts are not.
func isLooseText(kind string) bool {
	switch kind {
	case mimeText, mimeCSV, mimeTSV, "application/json", "application/x-ndjson",
		"application/geo+json", "application/x-subrip", "text/vtt",
		"message/rfc822", "text/vcard", "text/calendar":
		return true
	}
	return false
}

// extensions lists the file extensions allowed for each media type.
func extensions(kind string) []string {
	switch kind {
	case mimeJPEG:
		return []string{"jpg", "jpeg", "jpe", "jfif", "pjpeg", "pjp"}
	case mimePNG:
		return []string{"png", "apng"}
	case mimeAVIF:
		return []string{"avif", "avifs"}
	case "video/mp4":
		return []string{"mp4", "m4v", "mpg4"}
	case mimeText:
		return []string{"txt", "text", "log", "md", "markdown"}
	case "image/tiff":
		return []string{"tif", "tiff"}
	case "audio/ogg", "application/ogg":
		return []string{"ogg", "oga", "opus"}
	case "text/html":
		return []string{"html", "htm"}
	}
	if known := mimetype.Lookup(kind); known != nil && known.Extension() != "" {
		return []string{known.Extension()[1:]}
	}
	return nil
}

// describe names a type for people. It does not show the guessed purpose of an archive, since a
// damaged document may look like an app.
func describe(kind string) string {
	switch kind {
	case mimeDOCX:
		return "a Word document"
	case mimeXLSX:
		return "an Excel workbook"
	case mimePPTX:
		return "a PowerPoint presentation"
	case mimeText:
		return "plain text"
	case "application/octet-stream":
		return "of an unknown type"
	}
	for known := mimetype.Lookup(kind); known != nil; known = known.Parent() {
		if known.Is(mimeZIP) {
			return "a ZIP archive"
		}
	}
	return kind
}

// bare returns a type without its parameters.
func bare(kind string) string {
	if parsed, _, err := mime.ParseMediaType(kind); err == nil {
		return parsed
	}
	return kind
}
