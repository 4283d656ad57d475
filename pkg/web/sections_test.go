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
		"/area/posts/new", "/area/posts/new/last", "/area/lone/only",
		"GET /area/assets/{id}", "GET /script.js", "/area/list.csv"} {
		s.HandleFunc(pattern, answer(pattern+" "))
		one.HandleFunc(pattern, answer(pattern+" "))
	}
	for range 2 {
		for _, path := range []string{"/", "/area", "/area/", "/area/posts", "/area/posts/", "/area/posts/7",
			"/area/posts/new", "/area/posts/7/edit", "/area/posts/7/none", "/area/none", "/area/{$}",
			"/area/assets/a.css", "/area/assets", "/script.js", "/area/list.csv", "/posts", "/area/p%6fsts",
			"/area/posts%2F7", "/area/posts/a%2Fb", "/area/posts/new/7", "/area/posts/new/edit", "/area/posts/new/7/edit",
			"/area/posts/new%2F7", "/area/lone", "/area/lone/only", "/area/lone/7", "/area/lone/only/7"} {
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

// TestSectionsOfOneMux has routes that http.ServeMux refuses to have together.
func TestSectionsOfOneMux(t *testing.T) {
	s := NewSections("/area", http.NotFound)
	for _, pattern := range []string{"/area/files/{id}/edit", "/area/files/folders/{id}"} {
		s.HandleFunc(pattern,
			func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, pattern+" "+r.PathValue("id")) })
	}
	for path, want := range map[string]string{"/files/7/edit": "/area/files/{id}/edit 7",
		"/files/folders/7": "/area/files/folders/{id} 7", "/files/folders/edit": "/area/files/folders/{id} edit",
		"/files/folders/7/edit": "404 page not found\n", "/files/7/other": "404 page not found\n"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/area"+path, nil))
		if w.Body.String() != want {
			t.Errorf("%s: %q, want %q", path, w.Body, want)
		}
	}
}
