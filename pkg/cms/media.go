package cms

import (
	"math"
	"strconv"
	"strings"
)

// Media is a media file as the API shows it (specification §2.2, decisions §5); the order of its
// JSON keys is part of the API.
type Media struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	URL       string `json:"url"` // absolute; replaced content has another parameter v, a crop is in crop
	Mime      string `json:"mime"`
	Size      int64  `json:"size"`  // bytes
	Width     *int   `json:"width"` // pixels of what URL shows; nil where there are none
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

	Crop *Crop `json:"crop,omitempty"` // the part that URL shows; nil: the whole picture

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
func (f *Focal) String() string {
	return strconv.FormatFloat(f.X, 'f', -1, 64) + "," + strconv.FormatFloat(f.Y, 'f', -1, 64)
}

// Moved returns the same point of a picture as a point of another crop, or the nearest that one has. f is a point
// of the crop from; a nil crop is the whole picture. A nil point stays nil.
func (f *Focal) Moved(from, to *Crop) *Focal {
	if f == nil || from == to {
		return f
	}
	a, b := from.box(), to.box()
	move := func(at, start, length, newStart, newLength float64) float64 {
		at = (start + at*length - newStart) / newLength
		return math.Round(max(0, min(at, 1))*10_000) / 10_000 // so that a point that moves back is where it was
	}
	return &Focal{X: move(f.X, a.X, a.Width, b.X, b.Width), Y: move(f.Y, a.Y, a.Height, b.Y, b.Height)}
}

// Crop is a part of a picture, in fractions of its width and height: 0 to 1 from the left and from the top.
type Crop struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// MinCrop is the smallest width and height of a crop.
const MinCrop = 0.01

// cropSlack is what the sum of two rounded numbers may exceed 1 by.
const cropSlack = 1e-9

// Valid reports whether the crop lies within the picture and has at least MinCrop of its width and height.
func (c Crop) Valid() bool {
	fits := func(at, size float64) bool { return at >= 0 && size >= MinCrop && at+size <= 1+cropSlack }
	return fits(c.X, c.Width) && fits(c.Y, c.Height)
}

// String returns the value of the parameter crop of an address, such as "0.1,0,0.8,1".
func (c *Crop) String() string {
	return (&Focal{c.X, c.Y}).String() + "," + (&Focal{c.Width, c.Height}).String()
}

func (c *Crop) box() Crop {
	if c == nil {
		return Crop{Width: 1, Height: 1}
	}
	return *c
}

// Pixels returns the part of a picture of a size: its left and top edge, and its own size, of at least one pixel. A
// nil crop is the whole picture.
func (c *Crop) Pixels(width, height int) (left, top, partWidth, partHeight int) {
	b := c.box()
	edges := func(at, size float64, whole int) (start, length int) {
		start = min(int(math.Round(at*float64(whole))), whole-1)
		end := min(int(math.Round((at+size)*float64(whole))), whole)
		return start, max(1, end-start)
	}
	left, partWidth = edges(b.X, b.Width, width)
	top, partHeight = edges(b.Y, b.Height, height)
	return left, top, partWidth, partHeight
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

// OriginalURL returns the URL of the bytes of a file, which has the whole picture, given the URL of the file.
func OriginalURL(file string) string {
	if at := strings.LastIndex(file, "crop="); at > 0 {
		return file[:at-1]
	}
	return file
}

// Folder is a folder of media files.
type Folder struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// MediaKeys returns the JSON keys of a media file in the order of the API.
func MediaKeys() []string {
	return []string{"id", "name", "url", "mime", "size", "width", "height", "alt", "caption",
		"folder", "created_at", "focal", "placeholder", "decorative", "tags", "alts", "crop"}
}
