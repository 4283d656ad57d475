package api

import (
	"strings"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/site"
)

// SiteRoutes returns the routes of the site function: ping, settings, locales and the API's own
// description.
func SiteRoutes() []pipeline.Route {
	return []pipeline.Route{
		{Method: "GET", Pattern: "/ping", Handle: ping},
		{Method: "GET", Pattern: "/settings", Handle: settings, Public: true, Params: []string{"locale"}},
		{Method: "GET", Pattern: "/i18n/locales", Handle: activeLocales, Public: true},
		{Method: "GET", Pattern: "/openapi.json", Handle: description, Public: true, MayKey: true},
		{Method: "GET", Pattern: "/types.ts", Handle: types},
	}
}

// ping tells a client which key it uses (specification §4.2).
func ping(c *pipeline.Call) (pipeline.Answer, error) {
	return pipeline.Answer{Data: struct {
		Message string   `json:"message"`
		KeyName string   `json:"key_name"`
		Scopes  []string `json:"scopes"`
	}{"pong", c.Key.Name, c.Key.Scopes}}, nil
}

// settings returns the public settings in the resolved locale (specification §2.4).
func settings(c *pipeline.Call) (pipeline.Answer, error) {
	c.Tags.Add(cms.TagSettings)
	locale := resolveLocale(c.Site, c.R.URL.Query().Get("locale"),
		strings.Join(c.R.Header.Values("Accept-Language"), ","))
	return pipeline.Answer{
		Data: site.PublicSettings(c.Site, locale),
		Meta: struct {
			Locale string `json:"locale"`
		}{locale},
		Vary: "Accept-Language",
	}, nil
}

// publicLocale is a locale as visitors see it (specification §2.3).
type publicLocale struct {
	Code       string  `json:"code"`
	Name       string  `json:"name"`
	NativeName string  `json:"native_name"`
	Direction  string  `json:"direction"`
	IsDefault  bool    `json:"is_default"`
	SortOrder  int     `json:"sort_order"`
	Fallback   *string `json:"fallback"`
}

// activeLocales lists the active locales in their order.
func activeLocales(c *pipeline.Call) (pipeline.Answer, error) {
	c.Tags.Add(cms.TagLocales)
	list := []publicLocale{}
	for _, l := range c.Site.Locales {
		if l.IsActive {
			list = append(list, publicOf(l))
		}
	}
	return pipeline.Answer{Data: list}, nil
}

func publicOf(l cms.Locale) publicLocale {
	return publicLocale{Code: l.Code, Name: l.Name, NativeName: l.NativeName,
		Direction: l.Direction, IsDefault: l.IsDefault, SortOrder: l.SortOrder, Fallback: l.Fallback}
}
