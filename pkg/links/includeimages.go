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

// media returns an included file with its alternative text in a locale. It adds srcset to an image if the query
// parameter images asks for it.
func (inc *Include) media(file any, locale string) any {
	m, ok := file.(*cms.MediaInline)
	if !ok {
		return file
	}
	if m = m.In(locale); inc.images == nil {
		return m
	}
	srcset := ""
	if m.Scalable && m.Width != nil {
		srcset = variant.Srcset(m.URL, *m.Width, m.Focal, inc.images)
	}
	m.Srcset = &srcset
	return m
}
