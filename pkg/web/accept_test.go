package web

import "testing"

func TestPreferred(t *testing.T) {
	for header, page := range map[string]bool{
		"text/html": true, "TEXT/HTML; charset=utf-8": true, "text/html, application/json": true,
		"text/html;q=0.5, application/json;q=0.4": true, "application/json;q=0, text/html;Q=0.1": true,
		"text/html;level=1;q=0.2, */*": true, "text/html;q=high": true,
		"": false, "*/*": false, "text/*": false, "application/json, text/html": false, "text/html;q=0": false,
		"text/html;q=0.5, application/json": false, "text/html;q=0, application/json;q=0": false,
		"text/htmlx": false,
	} {
		accept := []string{header}
		if Preferred(accept, "text/html").Before(Preferred(accept, "application/json")) != page {
			t.Errorf("%q: a page: %v", header, !page)
		}
	}
}
