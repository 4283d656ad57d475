package kit

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"testing"

	"headless/pkg/must"
)

// Upload sends a file that must be accepted.
func (c *Client) Upload(t *testing.T, name string, content []byte, texts map[string]string) Answer {
	t.Helper()
	return c.Post(t, "/upload", FileBody(t, name, content, texts))
}

// UploadDirectly sends the content to the URL of a direct upload, which must take it.
func UploadDirectly(t *testing.T, s *Suite, a Answer, content []byte) {
	t.Helper()
	if status := SendDirectly(t, s, a, content); status >= 300 {
		t.Fatalf("the transfer was answered %d", status)
	}
}

// SendDirectly sends the content to the URL of a direct upload and returns the status.
func SendDirectly(t *testing.T, s *Suite, a Answer, content []byte) int {
	t.Helper()
	body := Body{"", content}
	if fields, ok := a.Get("data.upload.fields").(Obj); ok {
		texts := map[string]string{}
		for key, v := range fields {
			texts[key] = Str(v)
		}
		body = FileBody(t, "file", content, texts)
	}
	address := a.Str(t, "data.upload.url")
	req, err := http.NewRequestWithContext(t.Context(), a.Str(t, "data.upload.method"), address,
		bytes.NewReader(body.Bytes))
	must.Do(t, err)
	if body.ContentType != "" {
		req.Header.Set("Content-Type", body.ContentType)
	}
	headers, _ := a.Get("data.upload.headers").(Obj)
	for key, v := range headers {
		req.Header.Set(key, Str(v))
	}
	resp, err := s.HTTP.Do(req)
	if err != nil {
		return 599 // a store may hang up on a body of the wrong size
	}
	resp.Body.Close()
	return resp.StatusCode
}

// PNG is a black picture.
func PNG(width, height int) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes()
}

// Halves is a picture that is red on the left and blue on the right.
func Halves(width, height int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.RGBA{255, 0, 0, 255}
			if x >= width/2 {
				c = color.RGBA{0, 0, 255, 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

// PNGHalves is Halves as a PNG.
func PNGHalves(width, height int) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, Halves(width, height)); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes()
}
