package api

// SiteRoutes are the routes of the site function: ping, settings, locales and the API's own description.
func SiteRoutes() []Route {
	return []Route{
		{Method: "GET", Pattern: "/ping", Handle: ping},
	}
}

// ping tells a client who its key is (specification §4.2).
func ping(c *Call) (Answer, error) {
	return Answer{Data: struct {
		Message string   `json:"message"`
		KeyName string   `json:"key_name"`
		Scopes  []string `json:"scopes"`
	}{"pong", c.Key.Name, c.Key.Scopes}}, nil
}
