package cloudfront

import (
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/cloudfront"

	"headless/pkg/cms"
	"headless/pkg/purge"
	"headless/pkg/purge/purgetest"
)

// edge answers CreateInvalidation as CloudFront does for the distribution D1: it finishes an
// invalidation before the next one, knows a repeat by its reference and refuses the first of each
// test, as if too many were in progress.
type edge struct {
	mu      sync.Mutex
	objects map[string][]string // tags by path
	seen    map[string]bool
	busy    bool
	media   []string // paths that were invalidated in the distribution M1
}

func (e *edge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	const media = "/2020-05-31/distribution/M1/invalidation"
	if r.URL.Path != "/2020-05-31/distribution/D1/invalidation" && r.URL.Path != media {
		http.Error(w, r.URL.Path, http.StatusNotFound)
		return
	}
	var batch struct {
		CallerReference string
		Paths           struct {
			Quantity int
			Items    struct{ Path []string }
		}
	}
	if err := xml.NewDecoder(r.Body).Decode(&batch); err != nil ||
		batch.Paths.Quantity != len(batch.Paths.Items.Path) {
		http.Error(w, fmt.Sprint(err), http.StatusBadRequest)
		return
	}
	if !e.busy {
		e.busy = true
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w,
			`<ErrorResponse><Error><Type>Sender</Type><Code>TooManyInvalidationsInProgress</Code><Message>m</Message></Error></ErrorResponse>`)
		return
	}
	if r.URL.Path == media {
		e.media = append(e.media, batch.Paths.Items.Path...)
	} else if !e.seen[batch.CallerReference] {
		e.seen[batch.CallerReference] = true
		for _, item := range batch.Paths.Items.Path {
			for path, tags := range e.objects {
				prefix, wild := strings.CutSuffix(item, "*")
				if wild && strings.HasPrefix(path, prefix) || slices.Contains(tags, item[1:]) {
					delete(e.objects, path)
				}
			}
		}
	}
	w.WriteHeader(http.StatusCreated)
	fmt.Fprintf(w,
		`<Invalidation><Id>I1</Id><Status>InProgress</Status><CreateTime>2026-01-01T00:00:00Z</CreateTime><InvalidationBatch><CallerReference>%s</CallerReference><Paths><Quantity>0</Quantity></Paths></InvalidationBatch></Invalidation>`,
		batch.CallerReference)
}

func newEdge(t *testing.T) (*edge, *cloudfront.Client) {
	e := &edge{objects: map[string][]string{}, seen: map[string]bool{}}
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	return e, cloudfront.New(cloudfront.Options{
		Region: "us-east-1", BaseEndpoint: aws.String(server.URL), RetryMaxAttempts: 1,
		Credentials: credentials.NewStaticCredentialsProvider("id", "secret", ""),
	})
}

// TestFiles looks at the invalidations in the distribution of media files: a file that is deleted
// or replaced leaves it with its variants.
func TestFiles(t *testing.T) {
	var many []string
	for i := range purge.MaxFiles + 1 {
		many = append(many, fmt.Sprint(i))
	}
	for name, test := range map[string]struct {
		batch purge.Batch
		want  []string
	}{
		"a file":            {purge.Batch{ID: "1", Files: []string{"a"}}, []string{"/media/a*"}},
		"two files":         {purge.Batch{ID: "1", Files: []string{"a", "b"}}, []string{"/media/a*", "/media/b*"}},
		"many files":        {purge.Batch{ID: "1", Files: many}, []string{"/media/*"}},
		"all files":         {purge.Batch{ID: "1", AllFiles: true}, []string{"/media/*"}},
		"all answers":       {purge.Batch{ID: "1", All: true}, nil},
		"a file's new text": {purge.Batch{ID: "1", Tags: cms.ChangedFile("a")}, nil},
	} {
		e, client := newEdge(t)
		e.busy = true // it was
		p := Purger{Client: client, Distribution: "D1", Media: "M1"}
		if left, err := p.Purge(t.Context(), test.batch); err != nil || left.Paths()+len(left.Tags) > 0 {
			t.Fatal(name, left, err)
		}
		if !slices.Equal(e.media, test.want) {
			t.Errorf("%s: %v, want %v", name, e.media, test.want)
		}
	}
}

// TestBusyDistribution: what one distribution accepted is not left, although the other one is busy.
func TestBusyDistribution(t *testing.T) {
	e, client := newEdge(t)
	b := purge.Batch{ID: "1", Tags: []string{"e.1"}, Files: []string{"a"}}
	p := Purger{Client: client, Distribution: "D1", Media: "M1"}
	left, err := p.Purge(t.Context(), b) // the distribution of the answers is busy once
	if !errors.Is(err, purge.ErrBusy) || len(left.Tags) != 1 || len(left.Files) != 0 {
		t.Fatalf("left %+v, %v", left, err)
	}
	if left, err = p.Purge(t.Context(), left); err != nil || len(e.media) != 1 {
		t.Errorf("left %+v, %v; files were sent as %v", left, err, e.media)
	}
}

// TestOneDistribution purges tags and files of one distribution together: it takes a reference
// once.
func TestOneDistribution(t *testing.T) {
	e, client := newEdge(t)
	e.busy = true // it was
	e.objects = map[string][]string{"/delivery/a": {"e.1"}, "/media/1?w=64": nil, "/delivery/b": {"e.2"}}
	p := Purger{Client: client, Distribution: "D1", Media: "D1"}
	batch := purge.Batch{ID: "1", Tags: []string{"e.1"}, Files: []string{"1"}}
	if _, err := p.Purge(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	if _, kept := e.objects["/delivery/b"]; len(e.objects) != 1 || !kept {
		t.Errorf("%v is left, want /delivery/b", e.objects)
	}
	e.objects["/media/2"] = nil
	batch = purge.Batch{ID: "2", All: true, AllFiles: true}
	if _, err := p.Purge(t.Context(), batch); err != nil || len(e.objects) > 0 {
		t.Errorf("%v is left (%v)", e.objects, err)
	}
}

func TestConformance(t *testing.T) {
	purgetest.Run(t, func(t *testing.T) purgetest.Subject {
		e, client := newEdge(t)
		return purgetest.Subject{
			Purger: Purger{Client: client, Distribution: "D1"},
			Store: func(path string, tags ...string) {
				e.mu.Lock()
				defer e.mu.Unlock()
				e.objects[path] = tags
			},
			Cached: func(path string) bool {
				e.mu.Lock()
				defer e.mu.Unlock()
				_, ok := e.objects[path]
				return ok
			},
		}
	})
}

var _ purge.Purger = Purger{}
