package admin

import (
	"html/template"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/docs"
	"headless/pkg/docs/pages"
	"headless/pkg/web"
)

// guide is the content of the page of the guide.
type guide struct {
	Text     template.HTML
	Language *say.Language
	Version  string // "" if the build has none
}

// helpRoutes returns the route of the guide for editors.
func (s Services) helpRoutes() []frame.Route {
	guides := pages.Site{HTML: s.Entries.HTML}
	return []frame.Route{{Method: "GET", Pattern: "/help", Role: cms.RoleViewer,
		Handle: func(c *frame.Call) (frame.Result, error) {
			page := &ui.Page{Title: "The admin area: a guide for editors", Template: "help"}
			name, in := "editors", c.Language()
			if in != say.English {
				name += "." + in.Code // TestNamesInGuide wants a guide in each language
			}
			if !c.JSON {
				made, err := guides.Page(c.R.Context(), name)
				if err != nil {
					return frame.Result{}, err
				}
				_, text, _ := strings.Cut(string(made), "</h1>") // the page has one
				// Browsers cache pictures that have the tag.
				text = strings.ReplaceAll(text, ".webp\"", ".webp?v="+c.A.Pages.Tag+"\"")
				page.Custom = guide{template.HTML(text), in, web.Version()}
			}
			return frame.Result{Data: map[string]string{"guide": docs.Text(name), "version": web.Version()},
				Page: page}, nil
		}}}
}
