// Package blobtest is the conformance suite that every adapter of the blob port passes.
package blobtest

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"headless/pkg/blob"
	"headless/pkg/must"
)

// Run tests stores that begin empty and are reached over real HTTP where they presign.
func Run(t *testing.T, open func(t *testing.T) blob.Store) {
	tests := []struct {
		name string
		run  func(*testing.T, blob.Store)
	}{
		{"PutGetStat", putGetStat},
		{"Replace", replace},
		{"Ranges", ranges},
		{"Copy", copies},
		{"CopyOfWhatIsGone", copiesOfWhatIsGone},
		{"Absent", absent},
		{"Keys", keys},
		{"List", list},
		{"Reader", reader},
		{"Concurrent", concurrent},
		{"Upload", upload},
		{"UploadRefused", uploadRefused},
		{"UploadExpires", uploadExpires},
		{"Download", download},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, open(t)) })
	}
}

var pngMeta = blob.Meta{
	ContentType:  "image/png",
	Disposition:  `inline; filename*=utf-8''%C3%84pfel.png`,
	CacheControl: "public, max-age=31536000, immutable",
	Edition:      12,
}

func put(t *testing.T, store blob.Store, key, content string) {
	t.Helper()
	if err := store.Put(t.Context(), key, strings.NewReader(content), pngMeta); err != nil {
		t.Fatalf("Put %s: %v", key, err)
	}
}

func read(t *testing.T, store blob.Store, key string, r blob.Range) string {
	t.Helper()
	object, err := store.Get(t.Context(), key, r)
	if err != nil {
		t.Fatalf("Get %s %+v: %v", key, r, err)
	}
	defer object.Body.Close()
	content, err := io.ReadAll(object.Body)
	if err != nil {
		t.Fatalf("read %s %+v: %v", key, r, err)
	}
	return string(content)
}

func putGetStat(t *testing.T, store blob.Store) {
	before := time.Now().Add(-2 * time.Second)
	content := strings.NewReader("some bytes")
	_, _ = content.Seek(5, io.SeekStart) // Put begins at the start wherever the reader stands
	must.Do(t, store.Put(t.Context(), "media/a", content, pngMeta))
	if got := read(t, store, "media/a", blob.Range{}); got != "some bytes" {
		t.Errorf("content = %q", got)
	}
	info, err := store.Stat(t.Context(), "media/a")
	must.Do(t, err)
	if info.Key != "media/a" || info.Size != 10 || info.Meta != pngMeta || info.Modified.Before(before) {
		t.Errorf("Stat = %+v", info)
	}
	object, err := store.Get(t.Context(), "media/a", blob.Range{Offset: 5, Length: 2})
	must.Do(t, err)
	object.Body.Close()
	if object.Key != "media/a" || object.Size != 10 || object.Meta != pngMeta {
		t.Errorf("Get = %+v", object.Info)
	}
	put(t, store, "media/empty", "")
	if got := read(t, store, "media/empty", blob.Range{}); got != "" {
		t.Errorf("empty content = %q", got)
	}
}

func replace(t *testing.T, store blob.Store) {
	put(t, store, "media/a", "first and longer")
	second := blob.Meta{ContentType: "text/plain"}
	must.Do(t, store.Put(t.Context(), "media/a", strings.NewReader("second"), second))
	info, err := store.Stat(t.Context(), "media/a")
	if err != nil || info.Meta != second || info.Size != 6 {
		t.Errorf("Stat = %+v, %v", info, err)
	}
	if got := read(t, store, "media/a", blob.Range{}); got != "second" {
		t.Errorf("content = %q", got)
	}
}

func ranges(t *testing.T, store blob.Store) {
	put(t, store, "media/a", "0123456789")
	tests := []struct {
		r    blob.Range
		want string
	}{
		{blob.Range{}, "0123456789"},
		{blob.Range{Length: 4}, "0123"},
		{blob.Range{Offset: 4}, "456789"},
		{blob.Range{Offset: 4, Length: 3}, "456"},
		{blob.Range{Offset: 8, Length: 100}, "89"},
		{blob.Range{Offset: 10}, ""},
		{blob.Range{Offset: 10, Length: 5}, ""},
	}
	for _, test := range tests {
		if got := read(t, store, "media/a", test.r); got != test.want {
			t.Errorf("%+v = %q, want %q", test.r, got, test.want)
		}
	}
}

func stat(t *testing.T, store blob.Store, key string) blob.Info {
	t.Helper()
	info, err := store.Stat(t.Context(), key)
	if err != nil {
		t.Fatalf("Stat %s: %v", key, err)
	}
	return info
}

func copies(t *testing.T, store blob.Store) {
	put(t, store, "incoming/a", "some bytes")
	from := stat(t, store, "incoming/a")
	for range 2 { // the second time onto the first copy
		must.Do(t, store.Copy(t.Context(), from, "media/a"))
	}
	if info := stat(t, store, "media/a"); info.Key != "media/a" || info.Size != 10 || info.Meta != pngMeta {
		t.Errorf("the copy is %+v", info)
	}
	other := from
	other.Meta = blob.Meta{ContentType: "text/plain", Disposition: "inline", CacheControl: blob.CacheBriefly, Edition: 2}
	must.Do(t, store.Copy(t.Context(), other, "media/c"))
	if got, info := read(t, store, "media/c", blob.Range{}), stat(t, store, "media/c"); got != "some bytes" ||
		info.Meta != other.Meta {
		t.Errorf("the copy with other headers holds %q, %+v", got, info)
	}
	put(t, store, "media/b", "another object that is replaced")
	must.Do(t, store.Copy(t.Context(), from, "media/b"))
	// Each of them is an object of its own.
	must.Do(t, store.Put(t.Context(), "media/a", strings.NewReader("changed"), blob.Meta{ContentType: "text/plain"}))
	must.Do(t, store.Delete(t.Context(), "incoming/a"))
	if got := read(t, store, "media/a", blob.Range{}); got != "changed" {
		t.Errorf("the first copy holds %q", got)
	}
	if got, info := read(t, store, "media/b", blob.Range{}), stat(t, store, "media/b"); got != "some bytes" ||
		info.Meta != pngMeta {
		t.Errorf("the second copy holds %q, %+v", got, info)
	}
}

func copiesOfWhatIsGone(t *testing.T, store blob.Store) {
	put(t, store, "incoming/a", "some bytes")
	from := stat(t, store, "incoming/a")
	put(t, store, "incoming/a", "more bytes")
	if err := store.Copy(t.Context(), from, "media/a"); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("of a replaced object: %v", err)
	}
	must.Do(t, store.Delete(t.Context(), "incoming/a"))
	if err := store.Copy(t.Context(), from, "media/a"); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("of a deleted object: %v", err)
	}
	if _, err := store.Stat(t.Context(), "media/a"); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("Stat = %v", err)
	}
}

func absent(t *testing.T, store blob.Store) {
	put(t, store, "media/a", "x")
	for range 2 {
		if err := store.Delete(t.Context(), "media/a"); err != nil {
			t.Errorf("Delete: %v", err)
		}
	}
	for _, key := range []string{"media/a", "other/b", "media"} {
		if _, err := store.Get(t.Context(), key, blob.Range{}); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("Get %s = %v", key, err)
		}
		if _, err := store.Stat(t.Context(), key); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("Stat %s = %v", key, err)
		}
	}
}

func keys(t *testing.T, store blob.Store) {
	refused := []string{
		"", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/.hidden", `a\b`, "a b", "ä",
		"a" + string(rune(0)), "a?b", "a%2fb",
		strings.Repeat("a", blob.MaxKeyBytes+1),
	}
	put(t, store, "media/a", "x")
	info := stat(t, store, "media/a")
	for _, key := range refused {
		_, getErr := store.Get(t.Context(), key, blob.Range{})
		_, statErr := store.Stat(t.Context(), key)
		_, presignErr := store.PresignUpload(t.Context(), key,
			blob.Upload{Size: 1, Meta: pngMeta, Expires: time.Now().Add(time.Minute)})
		for _, err := range []error{
			store.Put(t.Context(), key, strings.NewReader("x"), pngMeta),
			store.Delete(t.Context(), key), getErr, statErr, presignErr,
			store.Copy(t.Context(), info, key), store.Copy(t.Context(), blob.Info{Key: key}, "media/b"),
		} {
			if !errors.Is(err, blob.ErrKey) {
				t.Errorf("%q: %v", key, err)
			}
		}
	}
}

func reader(t *testing.T, store blob.Store) {
	put(t, store, "media/a", "0123456789")
	info, err := store.Stat(t.Context(), "media/a")
	must.Do(t, err)
	r := blob.NewReader(t.Context(), store, info)
	defer r.Close()
	if size, err := r.Seek(0, io.SeekEnd); size != 10 || err != nil {
		t.Fatalf("Seek = %d, %v", size, err)
	}
	for _, offset := range []int64{7, 0, 3, 10} {
		if _, err := r.Seek(offset, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); string(got) != "0123456789"[offset:] || err != nil {
			t.Errorf("from %d: %q, %v", offset, got, err)
		}
	}
}

// concurrent checks that a reader never sees two versions mixed.
func concurrent(t *testing.T, store blob.Store) {
	put(t, store, "media/a", strings.Repeat("0", 50_000))
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			content := bytes.Repeat([]byte{'0' + byte(i)}, 50_000+i)
			if err := store.Put(t.Context(), "media/a", bytes.NewReader(content), pngMeta); err != nil {
				t.Error(err)
			}
		})
		group.Go(func() {
			object, err := store.Get(t.Context(), "media/a", blob.Range{})
			if err != nil {
				t.Error(err)
				return
			}
			defer object.Body.Close()
			content, err := io.ReadAll(object.Body)
			if err != nil || int64(len(content)) != object.Size ||
				len(bytes.Trim(content, string(content[:1]))) != 0 {
				t.Errorf("read %d of %d bytes: %v", len(content), object.Size, err)
			}
		})
	}
	group.Wait()
}
