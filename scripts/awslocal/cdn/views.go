package cdn

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
)

// isView reports whether the function DeliveryViewer answers a request as a view of an entry.
func isView(r *http.Request) bool {
	e := r.URL.Query()["e"]
	return r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/seen") &&
		strings.Count(r.URL.Path, "/") == 4 && len(e) == 1 && uuid.Validate(e[0]) == nil && len(e[0]) == 36
}

// answerView answers a view of an entry, and writes a log file for it at once.
func (c *CDN) answerView(w http.ResponseWriter, r *http.Request) {
	now := time.Now().UTC()
	name := "views/" + Distribution + now.Format(".2006-01-02-15.") + rand.Text()[:8] + ".gz"
	if err := c.Log(r.Context(), name, logFile(r, now)); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("X-Request-Id", rand.Text())
	w.WriteHeader(http.StatusNoContent)
}

// logFile returns a file in the format of CloudFront's standard log with a line for a view.
func logFile(r *http.Request, now time.Time) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	fmt.Fprintf(z, "#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem "+
		"sc-status "+"cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) "+
		"x-edge-result-type\n%s\tLOC1\t200\t203.0.113.9\tGET\t%s\t%s\t204\t"+
		"-\t-\t%s\t-\tFunctionGeneratedResponse\n", now.Format("2006-01-02\t15:04:05"), r.Host, r.URL.EscapedPath(),
		r.URL.RawQuery)
	z.Close() // writes to a buffer never fail
	return b.Bytes()
}
