package blobtest

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"headless/pkg/blob"
	"headless/pkg/must"
)

func presign(t *testing.T, store blob.Store, key string, expires time.Duration) blob.Presigned {
	t.Helper()
	signed, err := store.PresignUpload(t.Context(), key,
		blob.Upload{Size: 10, Meta: pngMeta, Expires: time.Now().Add(expires)})
	must.Do(t, err)
	return signed
}

// send makes a presigned request with the changes of edit and returns its status; 0 where the
// connection broke.
func send(t *testing.T, signed blob.Presigned, content string, edit func(*http.Request)) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, signed.Method, signed.URL, strings.NewReader(content))
	must.Do(t, err)
	for name, value := range signed.Headers {
		r.Header.Set(name, value)
	}
	if edit != nil {
		edit(r)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode
}

func upload(t *testing.T, store blob.Store) {
	signed := presign(t, store, "media/direct", time.Minute)
	if status := send(t, signed, "some bytes", nil); status != http.StatusOK {
		t.Fatalf("status %d", status)
	}
	info, err := store.Stat(t.Context(), "media/direct")
	if err != nil || info.Size != 10 || info.Meta != pngMeta {
		t.Errorf("Stat = %+v, %v", info, err)
	}
	if got := read(t, store, "media/direct", blob.Range{}); got != "some bytes" {
		t.Errorf("content = %q", got)
	}
	if status := send(t, signed, "evil bytes", nil); status != http.StatusPreconditionFailed {
		t.Errorf("second use: status %d", status)
	}
	if got := read(t, store, "media/direct", blob.Range{}); got != "some bytes" {
		t.Errorf("after the second use: %q", got)
	}
}

func uploadRefused(t *testing.T, store blob.Store) {
	tests := []struct {
		name, content string
		edit          func(*http.Request)
	}{
		{"without length", "some bytes", func(r *http.Request) { r.ContentLength = -1 }},
		{"cut short", "some", func(r *http.Request) { r.ContentLength = 10 }},
		{"shorter", "some byte", nil},
		{"longer", "some bytes!", nil},
		{"empty", "", nil},
		{"another type", "some bytes", func(r *http.Request) { r.Header.Set("Content-Type", "text/html") }},
		{"no type", "some bytes", func(r *http.Request) { r.Header.Del("Content-Type") }},
		{"another disposition", "some bytes",
			func(r *http.Request) { r.Header.Set("Content-Disposition", "inline") }},
		{"may replace", "some bytes", func(r *http.Request) { r.Header.Del("If-None-Match") }},
		{"another key", "some bytes",
			func(r *http.Request) { r.URL.Path = strings.Replace(r.URL.Path, "refused", "other", 1) }},
		{"no signature", "some bytes", func(r *http.Request) { r.URL.RawQuery = "" }},
		{"forged", "some bytes", func(r *http.Request) { r.URL.RawQuery = forge(r.URL.RawQuery) }},
		{"another method", "", func(r *http.Request) { r.Method = http.MethodDelete }},
	}
	signed := presign(t, store, "media/refused", time.Minute)
	for _, test := range tests {
		if status := send(t, signed, test.content, test.edit); status >= 200 && status < 300 {
			t.Errorf("%s: status %d", test.name, status)
		}
		for _, key := range []string{"media/refused", "media/other"} {
			if info, err := store.Stat(t.Context(), key); err == nil {
				t.Fatalf("%s: stored %+v", test.name, info)
			}
		}
	}
}

// forge changes a character in the middle of the signature, the last value of a query.
func forge(query string) string {
	i := len(query) - 10
	if query[i] == '0' {
		return query[:i] + "1" + query[i+1:]
	}
	return query[:i] + "0" + query[i+1:]
}

func download(t *testing.T, store blob.Store) {
	from, ok := store.(blob.Downloads)
	if !ok {
		return
	}
	put(t, store, "forms/file", "some bytes")
	address := func(expires time.Duration) string {
		signed, err := from.PresignDownload(t.Context(), "forms/file", time.Now().Add(expires))
		must.Do(t, err)
		return signed
	}
	get := func(address string) *http.Response {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		must.Do(t, err)
		answer, err := http.DefaultClient.Do(r)
		must.Do(t, err)
		t.Cleanup(func() { _ = answer.Body.Close() })
		return answer
	}
	answer := get(address(time.Minute))
	content, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK || string(content) != "some bytes" ||
		answer.Header.Get("Content-Disposition") != pngMeta.Disposition || answer.Header.Get("Content-Type") != "image/png" {
		t.Errorf("%d %s %v, %v", answer.StatusCode, content, answer.Header, err)
	}
	plain, query, _ := strings.Cut(address(time.Minute), "?")
	for _, other := range []string{plain, plain + "?" + forge(query),
		strings.Replace(plain, "forms/file", "forms/other", 1) + "?" + query,
		presign(t, store, "forms/file", time.Minute).URL} {
		if status := get(other).StatusCode; status < 400 {
			t.Errorf("%s: status %d", other, status)
		}
	}
	signed := blob.Presigned{Method: http.MethodPut, URL: address(time.Minute)}
	if status := send(t, signed, "evil bytes", nil); status < 400 {
		t.Errorf("an upload by the address of a download: status %d", status)
	}
	short := address(time.Second)
	for deadline := time.Now().Add(10 * time.Second); get(short).StatusCode != http.StatusForbidden; {
		if time.Now().After(deadline) {
			t.Fatal("a download does not expire")
		}
		time.Sleep(50 * time.Millisecond) // between polls
	}
}

func uploadExpires(t *testing.T, store blob.Store) {
	signed := presign(t, store, "media/late", time.Second)
	deadline := time.Now().Add(10 * time.Second)
	for send(t, signed, "some bytes", nil) != http.StatusForbidden {
		if time.Now().After(deadline) {
			t.Fatal("a presigned upload does not expire")
		}
		time.Sleep(50 * time.Millisecond) // between polls
	}
}
