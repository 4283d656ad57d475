package kit

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"maps"
	"mime/multipart"
	"net/textproto"
	"slices"
	"strings"
	"testing"

	"headless/pkg/must"
)

// Body is a body that is sent unchanged.
type Body struct {
	ContentType string
	Bytes       []byte
}

// Text is a body of text.
func Text(contentType, body string) Body { return Body{contentType, []byte(body)} }

// JSONLines returns objects as JSON lines.
func JSONLines(t *testing.T, objects ...any) Body {
	t.Helper()
	var b strings.Builder
	for _, o := range objects {
		line, err := json.Marshal(o)
		must.Do(t, err)
		b.Write(append(line, '\n'))
	}
	return Text("application/x-ndjson", b.String())
}

// FileBody is a multipart body with a file and texts.
func FileBody(t *testing.T, name string, content []byte, texts map[string]string) Body {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		w.WriteField(key, texts[key])
	}
	if name != "" {
		header := textproto.MIMEHeader{}
		header.Set("Content-Disposition",
			`form-data; name="file"; filename="`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name)+`"`)
		header.Set("Content-Type", "application/octet-stream")
		part, err := w.CreatePart(header)
		must.Do(t, err)
		part.Write(content)
	}
	w.Close()
	return Body{w.FormDataContentType(), b.Bytes()}
}

// CSVRows reads a CSV answer: the names of its columns, and its rows.
func CSVRows(t *testing.T, a Answer) (header []string, rows [][]string) {
	t.Helper()
	text, ok := strings.CutPrefix(string(a.Raw), "\ufeff")
	if !ok || a.Header.Get("Content-Type") != "text/csv; charset=utf-8" || !strings.Contains(text, "\r\n") {
		t.Errorf("%s %q", a.Header.Get("Content-Type"), text[:min(len(text), 40)])
	}
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	must.Do(t, err)
	return all[0], all[1:]
}
