package redirects

import "testing"

// leads makes a graph of redirects and former slugs.
func leads(own, slugs map[string]string) *graph {
	g := &graph{roots: []string{"https://site.example"}, own: map[string]doc{}, slugs: slugs}
	for from, to := range own {
		r := Redirect{From: from, Status: 301, To: &to}
		if to == "" {
			r.To, r.Status = nil, 410
		}
		g.own[from] = doc{ID: from, Version: 1, Value: r}
	}
	return g
}

func TestFinal(t *testing.T) {
	g := leads(
		map[string]string{"/b": "/c", "/gone": "", "/x": "/y", "/out": "https://other.example/",
			"/own": "/1"},
		map[string]string{"/a": "/b", "/1": "/gone", "/y": "/x", "/2": "/out", "/own": "/never"},
	)
	for from, want := range map[string]string{"/a": "/c", "/1": "/gone",
		"/2": "https://other.example/", "/own": "/gone", "/x": "", "/y": "", "/none": "/none"} {
		to, ok := g.final(from)
		if ok != (want != "") || to != want {
			t.Errorf("%s leads to %q %t, want %q", from, to, ok, want)
		}
	}
}

func TestCloses(t *testing.T) {
	g := leads(map[string]string{"/b": "https://site.example/c", "/p": "/q", "/q": "/p"},
		map[string]string{"/c": "/d"})
	for _, c := range []struct {
		from, to string
		closes   bool
	}{
		{"/a", "/a", true}, {"/a", "https://site.example/a", true},
		{"/a", "https://other.example/a", false}, {"/d", "/b", true},
		{"/c", "/b", true}, {"/a", "/b", false}, {"/a", "/p", false},
		{"/site", "https://site.example.org/site", false},
		{"/a", "/a/", true}, {"/a/", "/a", true}, {"/a", "/a?x=1", true}, {"/a", "/a#x", true}, {"/ö", "/%C3%B6", true},
		{"/d", "/b/", true}, {"/d/", "/%62?x", true}, {"/a?x=1", "/a?x=1", true}, {"/a?x=1", "/a", false},
		{"/%zz", "/%25zz", true}, {"/", "/?x", true},
	} {
		if got := g.closes(c.from, c.to); got != c.closes {
			t.Errorf("%s to %s closes a loop: %t", c.from, c.to, got)
		}
	}
}

func TestLocal(t *testing.T) {
	g := leads(nil, nil)
	for address, want := range map[string]string{"https://site.example": "/",
		"https://site.example/a": "/a", "/a": "/a", "": "",
		"https://site.examples": "https://site.examples"} {
		if got := g.local(address); got != want {
			t.Errorf("%q is %q, want %q", address, got, want)
		}
	}
}
