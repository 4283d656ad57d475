package assets

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"headless/pkg/assets/variant"
	"headless/pkg/blob"
	"headless/pkg/blob/blobtest"
	"headless/pkg/cms"
	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/web"
)

var (
	seeds = flag.Int("seeds", 20, "how many histories TestHistories runs")
	first = flag.Uint64("first", 0, "the seed of the first history")
)

// TestHistories makes random changes of files, some at the same time, while calls to the table and to the store of
// files fail before or after they act, up to 16 in a row. A change that succeeds is seen at once; one that is
// answered with 503 was made or not. After some sweeps each record has its object, with the content of one of the
// changes that may have been the last, and nothing else is left.
func TestHistories(t *testing.T) {
	for i := range *seeds {
		t.Run(fmt.Sprint(*first+uint64(i)), func(t *testing.T) {
			t.Parallel()
			w := newMediaWorld(t)
			h := &history{mediaWorld: w, t: t, random: rand.New(rand.NewPCG(*first+uint64(i), 1)), files: map[string][]string{}}
			h.media = w.start(h.fault)
			h.media.Blobs = blobtest.Faulty{Store: w.blobs, Do: h.call}
			for range 40 {
				h.step()
				if t.Failed() {
					break
				}
			}
			h.failing = 0
			h.end()
			if t.Failed() {
				t.Log(strings.Join(h.log, "\n"))
			}
		})
	}
}

// history is a sequence of changes.
type history struct {
	*mediaWorld
	t     *testing.T
	media *Media              // on a table and a store that fail
	files map[string][]string // the contents that each file may have; "" if it may be deleted
	made  int                 // contents so far

	mu      sync.Mutex
	random  *rand.Rand
	wait    int // calls before the next fault
	failing int // calls that fail then
	kind    table.FaultKind
	log     []string
}

func (h *history) note(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.log = append(h.log, fmt.Sprintf(format, args...))
}

func (h *history) n(below int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.random.IntN(below)
}

// fault is what happens to the next call to the table.
func (h *history) fault(table.Call) table.Fault { return table.Fault{Kind: h.next()} }

func (h *history) next() table.FaultKind {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.wait--; h.wait >= 0 || h.failing == 0 {
		return table.NoFault
	}
	h.failing--
	return h.kind
}

// call makes a call to the store of files.
func (h *history) call(_ context.Context, call func() error) error {
	kind := h.next()
	if kind == table.Throttled {
		return blob.ErrUnavailable
	}
	if err := call(); err != nil || kind == table.NoFault {
		return err
	}
	return blob.ErrUnavailable
}

// content is a new text, longer than all before.
func (h *history) content() string {
	h.made++
	return strings.Repeat("x", h.made)
}

// step makes one change, or two at the same time.
func (h *history) step() {
	h.mu.Lock()
	h.wait, h.failing = h.random.IntN(12), 0
	h.kind = []table.FaultKind{table.Throttled, table.AnswerLost}[h.random.IntN(2)]
	if h.random.IntN(2) == 0 {
		h.failing = 1 << h.random.IntN(5)
	}
	h.mu.Unlock()
	var ids []string
	for id, may := range h.files {
		if !slices.Equal(may, []string{""}) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	if len(ids) < 2 || h.n(6) == 0 {
		h.upload()
		return
	}
	id := ids[h.n(len(ids))]
	switch h.n(6) {
	case 0:
		h.clock.Advance(time.Duration(h.n(40)) * time.Minute)
		_, err := h.media.Sweep(h.t.Context(), 100)
		h.note("sweep: %v", err)
	case 1: // as package images does
		key := fmt.Sprint(variant.Prefix, id, "/", h.n(3))
		if _, err := h.blobs.Stat(h.t.Context(), objectKey(id)); err == nil {
			must.Do(h.t, h.blobs.Put(h.t.Context(), key, strings.NewReader("x"), blob.Meta{ContentType: "image/png"}))
		}
	case 2:
		var wait sync.WaitGroup
		before := h.files[id]
		one, other := h.change(id), h.change(id)
		var a, b []string
		wait.Go(func() { a = one(before) })
		wait.Go(func() { b = other(before) })
		wait.Wait()
		h.files[id] = slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
	default:
		now := h.change(id)(h.files[id])
		h.files[id] = now
		if len(now) == 1 {
			h.check(id, now[0])
		}
	}
}

// upload makes a file. What is answered with 503 may be a file with an id that nobody knows.
func (h *history) upload() {
	content := h.content()
	if h.n(2) == 0 {
		m, err := h.media.Upload(h.t.Context(), mediaActor, textUpload("a.txt", content))
		h.note("upload %d bytes: %s %v", len(content), m.ID, err)
		if h.done(err) {
			h.files[m.ID] = []string{content}
			h.check(m.ID, content)
		}
		return
	}
	id, err := h.direct(h.t.Context(), h.media, "a.txt", "text/plain", content)
	if err != nil {
		h.done(err)
		return
	}
	_, err = h.media.Complete(h.t.Context(), mediaActor, id)
	h.note("complete %d bytes: %s %v", len(content), id, err)
	if h.done(err) {
		h.files[id] = []string{content}
		h.check(id, content)
	} else {
		h.files[id] = []string{"", content}
	}
}

// change returns a function that changes a file, which may have some contents, and returns those that it may have
// then.
func (h *history) change(id string) func(may []string) []string {
	content, ctx := h.content(), h.t.Context()
	switch h.n(6) {
	case 0:
		return func(may []string) []string {
			err := h.media.Delete(ctx, mediaActor, id, nil)
			h.note("delete %s: %v", id, err)
			if h.done(err) || cms.CodeOf(err) == cms.CodeFileNotFound {
				return []string{""}
			}
			return append(may, "")
		}
	case 1:
		return func(may []string) []string {
			_, err := h.media.Update(ctx, mediaActor, id, map[string]any{"caption": content}, nil)
			h.note("update %s: %v", id, err)
			return h.after(err, may, may)
		}
	case 2:
		return func(may []string) []string {
			upload, err := h.direct(ctx, h.media, "a.txt", "text/plain", content)
			if err == nil {
				_, err = h.media.ReplaceByUpload(ctx, mediaActor, id, upload)
			}
			h.note("replace %s by an upload of %d bytes: %v", id, len(content), err)
			return h.after(err, may, []string{content})
		}
	}
	return func(may []string) []string {
		_, err := h.media.ReplaceContent(ctx, mediaActor, id, textUpload("a.txt", content))
		h.note("replace %s by %d bytes: %v", id, len(content), err)
		return h.after(err, may, []string{content})
	}
}

// after returns the contents that a file may have after a change with a result.
func (h *history) after(err error, before, now []string) []string {
	switch code := cms.CodeOf(err); {
	case code == cms.CodeFileNotFound:
		return []string{""}
	case code == cms.CodeConflict: // another replacement is not finished
		return before
	case h.done(err):
		return now
	}
	return slices.Concat(before, now)
}

// done reports whether a change succeeded. Other errors than 503 are wrong.
func (h *history) done(err error) bool {
	if err != nil && web.Safe(h.media.Log, "", err).Code != cms.CodeUnavailable &&
		cms.CodeOf(err) != cms.CodeFileNotFound {
		h.t.Errorf("%v", err)
	}
	return err == nil
}

// check reads a file as everybody does.
func (h *history) check(id, want string) {
	object, err := h.blobs.Get(h.t.Context(), objectKey(id), blob.Range{})
	if want == "" {
		return // the sweeper may have to remove the object
	}
	if err != nil {
		h.t.Errorf("%s: %v", id, err)
		return
	}
	defer object.Body.Close()
	if got, err := io.ReadAll(object.Body); string(got) != want || err != nil {
		h.t.Errorf("%s has %d bytes, want %d, %v", id, len(got), len(want), err)
	}
}

// end lets a week pass without faults and compares what is left with what may be there.
func (h *history) end() {
	kept := h.settle(h.t)
	for id, may := range h.files {
		if !slices.Contains(kept, id) {
			if !slices.Contains(may, "") {
				h.t.Errorf("%s is missing", id)
			}
			continue
		}
		object, err := h.blobs.Stat(h.t.Context(), objectKey(id))
		if err != nil || !slices.Contains(may, strings.Repeat("x", int(object.Size))) {
			h.t.Errorf("%s has %d bytes, %v", id, object.Size, err)
		}
	}
	for object, err := range h.blobs.List(h.t.Context(), variant.Prefix, "") {
		if id := strings.Split(object.Key, "/")[1]; err != nil || !slices.Contains(kept, id) {
			h.t.Errorf("left of a deleted file: %s, %v", object.Key, err)
		}
	}
}
