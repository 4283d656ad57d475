package links

import (
	"headless/pkg/assets/variant"
	"headless/pkg/cms"
)

// media returns an included file with its alternative text in a locale. It adds srcset to an image if the query
// parameter images asks for it.
func (inc *Include) media(file any, locale string) any {
	m, ok := file.(*cms.MediaInline)
	if !ok {
		return file
	}
	if m = m.In(locale); inc.Images == nil {
		return m
	}
	srcset := ""
	if m.Scalable && m.Width != nil {
		srcset = variant.Srcset(m.URL, *m.Width, m.Focal, inc.Images)
	}
	m.Srcset = &srcset
	return m
}
