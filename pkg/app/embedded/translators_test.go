package embedded

import (
	"bytes"
	"math/rand/v2"
	"mime/multipart"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"headless/pkg/must"
)

// TestTranslatorsMemory downloads entries that are large though their texts are short, and uploads files in which few
// bytes make an element.
func TestTranslatorsMemory(t *testing.T) { inMemory(t, largeSite.exchangeLargeEntries) }

func (s largeSite) exchangeLargeEntries() {
	s.admin("POST", "/models", `{"slug":"docs","name":"Docs","localized":true,"fields":[
		{"name":"facts","type":"json"},{"name":"parts","type":"list","fields":[{"name":"name","type":"text"}]}]}`)
	facts := make([]byte, 750_000) // as much as one stored item holds
	for i := range facts {
		facts[i] = byte('0' + rand.IntN(10))
	}
	body := `{"data":{"facts":"` + string(facts) + `"},"title":"Lamp`
	for range 50 {
		if w := s.ask("all", "POST", "/api/v1/docs", body+`"}`); w.Code != 201 {
			s.t.Fatalf("%d %.200s", w.Code, w.Body)
		}
	}
	const at = "/admin/models/docs/entries.xliff"
	download := func() *httptest.ResponseRecorder { return s.browse("GET", at+"?locale=de&due=true", nil) }
	file := s.within("large entries", 200, download).Body.String()
	if n := strings.Count(file, "<unit "); n != 50 {
		s.t.Errorf("the file has %d texts", n)
	}

	// A row with a short text takes much more room in a file, and some characters are elements there.
	rows := manyRows(`{"name":"` + strings.Repeat(`\u0001`, 4) + `"}`)
	w := s.ask("all", "POST", "/api/v1/docs", `{"title":"Rows","data":{"parts":`+rows+`}}`)
	if w.Code != 201 {
		s.t.Fatalf("%d %.200s", w.Code, w.Body)
	}
	_, id, _ := strings.Cut(w.Body.String(), `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	s.within("many rows", 422, func() *httptest.ResponseRecorder { return s.browse("GET", at+"?locale=de&ids="+id, nil) })

	_, token, _ := strings.Cut(s.browse("GET", "/admin/models/docs/xliff/upload", nil).Body.String(), `name="_csrf" value="`)
	token, _, _ = strings.Cut(token, `"`)
	start, _, _ := strings.Cut(file, "<file ")
	for what, c := range map[string]struct {
		before, repeated, after string
		status                  int
	}{
		"files": {"", `<file/>`, "", 422},
		"units": {`<file id="` + id + `">`, `<unit/>`, "</file>", 422},
		"parts": {`<file id="` + id + `"><unit id="title">`, `<a/>`, "</unit></file>", 422},
		"warnings": {`<file id="` + id + `">`, `<unit id="a#"><segment><source>a</source><target>x</target></segment></unit>`,
			"</file>", 200},
	} {
		var text bytes.Buffer
		text.WriteString(start + c.before)
		for i := 0; text.Len() < 4_100_000; i++ {
			text.WriteString(strings.ReplaceAll(c.repeated, "#", strings.Repeat(strconv.Itoa(i), 15)))
		}
		text.WriteString(c.after + "</xliff>")
		w := s.within(what, c.status, func() *httptest.ResponseRecorder { return s.uploadFile(at, token, text.Bytes()) })
		if w.Body.Len() > 6<<20 {
			s.t.Errorf("%s: the answer has %d bytes, a function sends 6 MB at most", what, w.Body.Len())
		}
	}
}

// uploadFile sends the file of a form, and asks for JSON.
func (s largeSite) uploadFile(path, token string, file []byte) *httptest.ResponseRecorder {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	must.Do(s.t, form.WriteField("_csrf", token))
	part, err := form.CreateFormFile("file", "de.xlf")
	must.Do(s.t, err)
	_, err = part.Write(file)
	must.Do(s.t, err)
	must.Do(s.t, form.Close())
	r := httptest.NewRequest("POST", path, &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.AddCookie(s.cookie)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}
