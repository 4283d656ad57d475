package cms

import (
	"strconv"
	"strings"
)

// Media is a media file as the API shows it (specification §2.2, decisions §5); the order of its
// JSON keys is part of the API.
type Media struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	URL       string `json:"url"` // absolute; replaced content has another parameter v
	Mime      string `json:"mime"`
	Size      int64  `json:"size"`  // bytes
	Width     *int   `json:"width"` // pixels; nil where there are none
	Height    *int   `json:"height"`
	Alt       string `json:"alt"`
	Caption   string `json:"caption"`
	Folder    string `json:"folder"`              // name of the folder, "": not in a folder
	CreatedAt Time   `json:"created_at,omitzero"` // omitted in the response to an upload

	// The point that stays visible when the picture is cropped; nil if it was never set (extensions
	// §9).
	Focal       *Focal  `json:"focal"`
	Placeholder *string `json:"placeholder"` // BlurHash; nil if there is no picture that can be decoded
	Decorative  bool    `json:"decorative"`  // the picture needs no alternative text (extensions §16)

	Tags []string `json:"tags"` // never nil

	Alts map[string]string `json:"alts,omitempty"` // alternative texts by locale, where Alt is not the one

	FolderID string `json:"-"` // "": not in a folder
	Scalable bool   `json:"-"` // variants can be made
}

// Focal is a point of a picture: 0 to 1 from the left and from the top.
type Focal struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Valid reports whether both coordinates are from 0 to 1.
func (f Focal) Valid() bool { return f.X >= 0 && f.X <= 1 && f.Y >= 0 && f.Y <= 1 }

// String returns the value of the parameter fp of a variant, such as "0.5,0.3".
func (f Focal) String() string {
	return strconv.FormatFloat(f.X, 'f', -1, 64) + "," + strconv.FormatFloat(f.Y, 'f', -1, 64)
}

// MediaInline is the JSON of an included file (decisions §3).
type MediaInline struct {
	ID     string `json:"id"`
	URL    string `json:"url"`
	Alt    string `json:"alt"`
	Name   string `json:"name"`
	Mime   string `json:"mime"`
	Width  *int   `json:"width"`
	Height *int   `json:"height"`

	Focal *Focal `json:"focal"`
	// Set if the parameter images asks for it and the picture has variants.
	Srcset      *string `json:"srcset,omitempty"`
	Placeholder *string `json:"placeholder"`

	Scalable bool              `json:"-"` // variants can be made
	Alts     map[string]string `json:"-"` // alternative texts by locale
	AltPath  string            `json:"-"` // of the property that Alt was read from
}

// In returns a copy whose Alt is the alternative text in a locale, if the file has one.
func (m *MediaInline) In(locale string) *MediaInline {
	shown := *m
	if text := m.Alts[locale]; text != "" {
		shown.Alt, shown.AltPath = text, "alts."+locale
	}
	return &shown
}

// VariantURL returns the URL of a variant of a file, given its parameters, such as "w=400".
func VariantURL(file, parameters string) string {
	if strings.Contains(file, "?") {
		return file + "&" + parameters
	}
	return file + "?" + parameters
}

// Folder is a folder of media files.
type Folder struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// MediaKeys returns the JSON keys of a media file in the order of the API.
func MediaKeys() []string {
	return []string{"id", "name", "url", "mime", "size", "width", "height", "alt", "caption",
		"folder", "created_at", "focal", "placeholder", "decorative", "tags", "alts"}
}
