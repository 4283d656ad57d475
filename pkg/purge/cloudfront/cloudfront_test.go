package cloudfront

import (
	"encoding/xml"
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
	many := []string{cms.TagFiles}
	for i := range maxWildcards + 1 {
		many = append(many, cms.TagFile(fmt.Sprint(i)))
	}
	for name, test := range map[string]struct {
		batch purge.Batch
		want  []string
	}{
		"a file": {purge.Batch{ID: "1", Tags: cms.ChangedFile("a")}, []string{"/media/a*"}},
		"two files": {purge.Batch{ID: "1",
			Tags: append(cms.ChangedFile("a"), cms.ChangedFile("b")...)}, []string{"/media/a*", "/media/b*"}},
		"many files": {purge.Batch{ID: "1", Tags: many}, []string{"/media/*"}},
		"by hand":    {purge.Batch{ID: "1", Tags: []string{cms.TagFiles}}, []string{"/media/*"}},
		"everything": {purge.Batch{ID: "1", All: true}, []string{"/media/*"}},
		"an entry":   {purge.Batch{ID: "1", Tags: cms.ChangedEntry("posts", "a", "en")}, nil},
	} {
		e, client := newEdge(t)
		e.busy = true // it was
		if err := (Purger{Client: client, Distribution: "D1", Media: "M1"}).Purge(t.Context(), test.batch); err != nil {
			t.Fatal(name, err)
		}
		if !slices.Equal(e.media, test.want) {
			t.Errorf("%s: %v, want %v", name, e.media, test.want)
		}
	}
}

// TestOneDistribution purges tags and files of one distribution together: it takes a reference
// once.
func TestOneDistribution(t *testing.T) {
	e, client := newEdge(t)
	e.busy = true // it was
	e.objects = map[string][]string{"/a": {"e.1"}, "/media/1?w=64": nil, "/b": {"e.2"}}
	p := Purger{Client: client, Distribution: "D1", Media: "D1"}
	if err := p.Purge(t.Context(), purge.Batch{ID: "1", Tags: []string{"e.1", cms.TagFile("1")}}); err != nil {
		t.Fatal(err)
	}
	if _, kept := e.objects["/b"]; len(e.objects) != 1 || !kept {
		t.Errorf("%v is left, want /b", e.objects)
	}
	e.objects["/media/2"] = nil
	if err := p.Purge(t.Context(), purge.Batch{ID: "2", All: true}); err != nil || len(e.objects) > 0 {
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
