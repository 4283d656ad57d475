package oracle_test

import (
	"bytes"
	"encoding/csv"
	"mime/multipart"
)

// roundTrip exports the entries of a model and imports them again, which changes nothing.
func (w *world) roundTrip() {
	m := pick(w, models...)
	path := "/admin/models/" + m.slug + "/entries.csv"
	file := w.send(w.admin, "GET "+path+"?filter[status]=any&filter[locale]=any", "", "").Body.Bytes()
	rows, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
	check(err)
	stored := w.site.find(live, of(m, ""))
	want("rows of "+m.slug, len(rows), len(stored)+1)
	if len(stored) == 0 {
		return
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "entries.csv")
	check(err)
	_, err = part.Write(file)
	check(err)
	check(form.WriteField("mode", pick(w, "draft", "publish")))
	check(form.Close())
	started := w.send(w.admin, "POST "+path, form.FormDataContentType(), body.String())
	id := w.work(answered(path, started), nil)
	want("an import of what was exported", w.do("GET /admin/jobs/"+id, nil).get("data.result"),
		obj{"created": 0, "updated": 0, "unchanged": len(stored), "failed": list{}})
}
