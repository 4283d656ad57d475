package links

import (
	"headless/pkg/assets/variant"
	"headless/pkg/cms"
)

// SetImages reads the parameter images: included pictures show srcset for these widths. Images
// without include has no effect. Errors: BAD_REQUEST.
func (inc *Include) SetImages(text string) error {
	widths, err := variant.ParseImages(text)
	if err != nil {
		return cms.Errorf(cms.CodeBadRequest, "Wrong parameter images: %s.", err)
	}
	if inc != nil {
		inc.images = widths
	}
	return nil
}

// media adds srcset to a file that is included, where the parameter images asks for it.
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
