package upload

import (
	"mime"
	"strings"

	"headless/pkg/cms"
)

// Direct is the response to the start of a direct upload (decisions §5).
type Direct struct {
	ID        string   `json:"id"` // of the file
	Upload    Target   `json:"upload"`
	ExpiresAt cms.Time `json:"expires_at"`
}

// Target is the request that the client makes.
type Target struct {
	URL     string            `json:"url"`
	Method  string            `json:"method"`
	Headers map[string]string `json:"headers"`
}

// CheckAnnounced checks what a client says about a file that it will send, and returns it with a clean name
// and a type without parameters. It adds a problem for each value that is missing or wrong, unless p has one.
func CheckAnnounced(p cms.Problems, name, kind *string, size *int64) (cleaned, bareKind string, bytes int64) {
	switch {
	case len(p["name"]) > 0:
	case name == nil || *name == "":
		p.Add("name", "is required")
	default:
		cleaned = CleanName(*name)
	}
	if kind != nil {
		bareKind, _, _ = mime.ParseMediaType(*kind) // "" if it is not a type
	}
	if !strings.Contains(bareKind, "/") && len(p["mime"]) == 0 {
		p.Add("mime", "must be a type such as image/png")
	}
	if size != nil {
		bytes = *size
	}
	if len(p["size"]) == 0 && bytes < 1 {
		p.Add("size", "must be the number of bytes, 1 or more")
	}
	return cleaned, bareKind, bytes
}

// ContentType returns the Content-Type header of a file of a type.
func ContentType(kind string) string {
	if strings.HasPrefix(kind, "text/") {
		return kind + "; charset=utf-8"
	}
	return kind
}

// TransferType returns the content type that the client of a direct upload must send. An SVG is sent as plain
// bytes, since it has not been sanitized yet.
func TransferType(kind string) string {
	if kind == MimeSVG {
		return "application/octet-stream"
	}
	return ContentType(kind)
}
