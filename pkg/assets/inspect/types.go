// Package inspect reads files as data: what they are, how large their pictures are, what is harmful
// in them. It decodes no pixels, unpacks no archives and touches no store.
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

// DefaultAllowed are the types accepted where nothing else is configured (decisions §5).
func DefaultAllowed() []string {
	return []string{
		mimeJPEG, mimePNG, mimeGIF, mimeWebP, mimeAVIF, upload.MimeSVG, "application/pdf",
		"video/mp4", "video/webm", "audio/mpeg",
		mimeText, mimeCSV, mimeZIP, mimeDOCX, mimeXLSX, mimePPTX,
	}
}

// MatchMime reports whether a type, without parameters, fits a pattern: the type itself, "image/*",
// "*/*" or "*". Case does not matter.
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

// Policy says which files are accepted.
type Policy struct {
	Allowed []string // patterns for MatchMime
}

// New gives the functions of a policy to those who are not to link them where they only read
// records.
func New(p Policy) upload.Inspector {
	return upload.Inspector{
		Inspect: p.Inspect, CheckName: p.CheckName, Agree: Agree, SanitizeSVG: SanitizeSVG,
		Placeholder: picture.NewMaker().Placeholder,
	}
}

// Check returns the type of a file from the first HeadBytes of its content (all of it when it is
// smaller). A type outside the allowlist and a name whose ending belongs to another type are
// UNSUPPORTED_MEDIA_TYPE. A name without an ending agrees with everything; an ending is what
// follows the last dot: up to ten ASCII letters and digits, not digits alone. An ending that no
// accepted type has agrees with nothing.
func (p Policy) Check(name string, head []byte) (string, error) {
	sniffed := Sniff(head)
	kind, agrees := agree(sniffed, upload.Ending(name))
	if !agrees {
		return "",
			cms.Errorf(cms.CodeUnsupportedMedia,
				"The content is %s, which does not fit the ending .%s.", describe(kind), upload.Ending(name))
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

// CheckName is Check before the content is there: kind is what the client says of it. It returns
// the type that the content must turn out to have.
func (p Policy) CheckName(name, kind string) (string, error) {
	kind, agrees := Agree(name, kind)
	if err := p.accept(kind); err != nil {
		return "", err
	}
	if !agrees {
		return "",
			cms.Errorf(cms.CodeUnsupportedMedia,
				"The type is %s, which does not fit the ending .%s.", kind, upload.Ending(name))
	}
	return kind, nil
}

// Agree settles the type of a file between what is said of its content and its name, and reports
// whether the two agree. A type has many names; the answer is the one that Sniff uses.
func Agree(name, kind string) (string, bool) {
	if known := mimetype.Lookup(kind); known != nil {
		kind = bare(known.String())
	}
	return agree(kind, upload.Ending(name))
}

// agree settles a type between content and ending, and reports whether they agree. Content decides,
// except between kinds of text, which only the ending tells apart reliably, and for a document of
// an office that is meant as the ZIP that it is.
func agree(sniffed, end string) (string, bool) {
	if end == "" {
		return sniffed, true
	}
	if isLooseText(sniffed) {
		for _, kind := range []string{mimeText, mimeCSV, mimeTSV} {
			if slices.Contains(endings(kind), end) {
				return kind, true
			}
		}
	}
	if end == "zip" && slices.Contains([]string{mimeDOCX, mimeXLSX, mimePPTX}, sniffed) {
		return mimeZIP, true
	}
	return sniffed, slices.Contains(endings(sniffed), end)
}

// isLooseText reports whether a type is harmless text that may just as well be prose or a table.
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

// endings are those that names of a type may have.
func endings(kind string) []string {
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

// describe names a type for people. The sniffer's guess at what an archive is for is left out: a
// damaged document passes for an app.
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
		return "of no known type"
	}
	for known := mimetype.Lookup(kind); known != nil; known = known.Parent() {
		if known.Is(mimeZIP) {
			return "a ZIP archive"
		}
	}
	return kind
}

// bare is a type without its parameters.
func bare(kind string) string {
	if parsed, _, err := mime.ParseMediaType(kind); err == nil {
		return parsed
	}
	return kind
}
