package cdn

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"strings"
)

// maxItems is how many items an invalidation may name, and how many may be in progress.
const maxItems = 3000

// batch is the body of CreateInvalidation.
type batch struct {
	CallerReference string
	Paths           struct {
		Quantity int
		Items    struct{ Path []string }
	}
}

// API answers CreateInvalidation. It removes the objects before it responds.
func (c *CDN) API() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /2020-05-31/distribution/{id}/invalidation", func(w http.ResponseWriter, r *http.Request) {
		var b batch
		err := xml.NewDecoder(r.Body).Decode(&b)
		switch items := b.Paths.Items.Path; {
		case r.PathValue("id") != Distribution:
			refuse(w, http.StatusNotFound, "NoSuchDistribution")
		case err != nil || len(items) == 0 || len(items) > maxItems || b.Paths.Quantity != len(items) ||
			b.CallerReference == "" || !valid(items):
			refuse(w, http.StatusBadRequest, "InvalidArgument")
		default:
			c.remove(b.CallerReference, items)
			w.WriteHeader(http.StatusCreated)
			fmt.Fprint(w,
				`<Invalidation><Id>I1</Id><Status>Completed</Status><CreateTime>2026-01-01T00:00:00Z</CreateTime>`+
					`<InvalidationBatch><CallerReference>local</CallerReference><Paths><Quantity>0</Quantity></Paths></InvalidationBatch></Invalidation>`)
		}
	})
	return mux
}

// valid reports whether each item is a tag or a path, with * only at its end.
func valid(items []string) bool {
	for _, item := range items {
		path := strings.TrimSuffix(item, "*")
		if len(item) < 2 && item != "/" || item[0] != '#' && item[0] != '/' || strings.Contains(path, "*") {
			return false
		}
	}
	return true
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	fmt.Fprintf(w,
		`<ErrorResponse><Error><Type>Sender</Type><Code>%s</Code><Message>%s</Message></Error></ErrorResponse>`,
		code, code)
}
