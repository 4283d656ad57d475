package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestSections: a request reaches what one mux of all the routes would give it to.
func TestSections(t *testing.T) {
	answer := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, text+r.PathValue("id")) }
	}
	s := NewSections("/area", answer("other"))
	one := http.NewServeMux()
	one.HandleFunc("/", answer("other"))
	for _, pattern := range []string{"/area/{$}", "/area/posts", "/area/posts/{id}", "/area/posts/{id}/edit",
		"/area/posts/new", "GET /area/assets/{id}", "GET /script.js", "/area/list.csv"} {
		s.HandleFunc(pattern, answer(pattern+" "))
		one.HandleFunc(pattern, answer(pattern+" "))
	}
	for range 2 {
		for _, path := range []string{"/", "/area", "/area/", "/area/posts", "/area/posts/", "/area/posts/7",
			"/area/posts/new", "/area/posts/7/edit", "/area/posts/7/none", "/area/none", "/area/{$}",
			"/area/assets/a.css", "/area/assets", "/script.js", "/area/list.csv", "/posts", "/area/p%6fsts",
			"/area/posts%2F7", "/area/posts/a%2Fb"} {
			var got [2]string
			for i, h := range []http.Handler{s, one} {
				w := httptest.NewRecorder()
				h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
				got[i] = w.Body.String()
			}
			if got[0] != got[1] {
				t.Errorf("%s: %q, want %q", path, got[0], got[1])
			}
		}
	}
}
