package links

import (
	"headless/pkg/assets/variant"
	"headless/pkg/cms"
)

// SetImages parses the query parameter images: included images get a srcset of these widths.
// Without include it has no effect. Errors: BAD_REQUEST.
func (inc *Include) SetImages(text string) error {
	widths, err := variant.ParseImages(text)
	if err != nil {
		return cms.Errorf(cms.CodeBadRequest, "The query parameter images is not valid: %s.", err)
	}
	if inc != nil {
		inc.images = widths
	}
	return nil
}

// media adds srcset to an included image if the query parameter images asks for it.
func (inc *Include) media(file any) any {
	m, ok := file.(cms.MediaInline)
	if !ok || inc.images == nil {
		return file
	}
	srcset := ""
	if m.Scalable && m.Width != nil {
		srcset = variant.Srcset(m.URL, *m.Width, m.Focal, inc.images)
	}
	m.Srcset = &srcset
	return m
}
