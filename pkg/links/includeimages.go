package links

import (
	"headless/pkg/assets/variant"
	"headless/pkg/cms"
)

// SetImages gives included images a srcset of some widths. inc may be nil.
func (inc *Include) SetImages(widths []int) {
	if inc != nil {
		inc.images = widths
	}
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
