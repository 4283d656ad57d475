package cdn

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	awscloudfront "github.com/aws/aws-sdk-go-v2/service/cloudfront"

	"headless/pkg/purge/cloudfront"
	"headless/pkg/purge/purgetest"
)

// origin answers every request with its query, under the tags of each path.
type origin struct {
	tags    map[string]string
	control string
	asked   int
}

func (o *origin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.asked++
	h := w.Header()
	h.Set("Cache-Control", o.control)
	h.Set("Cache-Tag", o.tags[r.URL.Path])
	h.Set("ETag", `"`+r.URL.Path+`"`)
	w.Write([]byte(r.URL.RawQuery))
}

const kept = "public, max-age=0, s-maxage=31536000"

func ask(c *CDN, method, target string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	return w
}

// TestConformance purges by the adapter of the functions.
func TestConformance(t *testing.T) {
	purgetest.Run(t, func(t *testing.T) purgetest.Subject {
		o := &origin{tags: map[string]string{}, control: kept}
		c := &CDN{Origin: o}
		server := httptest.NewServer(c.API())
		t.Cleanup(server.Close)
		client := awscloudfront.New(awscloudfront.Options{Region: "us-east-1",
			BaseEndpoint: aws.String(server.URL), RetryMaxAttempts: 1,
			Credentials: credentials.NewStaticCredentialsProvider("id", "secret", "")})
		return purgetest.Subject{
			Purger: cloudfront.Purger{Client: client, Distribution: Distribution},
			Store: func(path string, tags ...string) {
				o.tags[path] = strings.Join(tags, ",")
				ask(c, "GET", path)
			},
			Cached: func(path string) bool {
				return c.find(keyOf(httptest.NewRequest("GET", path, nil), "")) != nil
			},
		}
	})
}

// TestKeeps looks at the answers of the cache.
func TestKeeps(t *testing.T) {
	o := &origin{tags: map[string]string{}, control: kept}
	c := &CDN{Origin: o}
	ask(c, "GET", "/a?x=1&b=2")
	for _, test := range []struct {
		name, method, target string
		header               []string
		status               int
		from                 string
	}{
		{"the same", "GET", "/a?x=1&b=2", nil, 200, "Hit"},
		{"another order", "GET", "/a?b=2&x=1", nil, 200, "Hit"},
		{"HEAD", "HEAD", "/a?b=2&x=1", nil, 200, "Hit"},
		{"what the viewer has", "GET", "/a?b=2&x=1", []string{"If-None-Match", `"/a"`}, 304, "Hit"},
		{"another query", "GET", "/a?b=3&x=1", nil, 200, "Miss"},
		{"another origin", "GET", "/a?b=2&x=1", []string{"Origin", "https://a.example"}, 200, "Miss"},
		{"another form", "GET", "/a?b=2&x=1", []string{"Accept-Encoding", "gzip"}, 200, "Miss"},
		{"not yet kept, and what the viewer has", "GET", "/b", []string{"If-None-Match", `"/b"`},
			304, "Miss"},
		{"kept whole", "GET", "/b", nil, 200, "Hit"},
	} {
		w := ask(c, test.method, test.target, test.header...)
		if from := w.Header().Get("X-Cache"); w.Code != test.status || from != test.from+" from cloudfront" {
			t.Errorf("%s: %d %s, want %d %s", test.name, w.Code, from, test.status, test.from)
		}
	}
	o.control = "no-store"
	ask(c, "GET", "/c")
	if w := ask(c, "GET", "/c"); w.Header().Get("X-Cache") != "Miss from cloudfront" {
		t.Error("an answer that nobody may keep was kept")
	}
	before := o.asked
	if ask(c, "POST", "/a?x=1&b=2"); o.asked != before+1 {
		t.Error("a POST did not reach the origin")
	}
}

// TestOriginKnowsTheVisitor: the API hears of the visitor from the CDN alone, and not where answers
// are kept.
func TestOriginKnowsTheVisitor(t *testing.T) {
	for path, want := range map[string]string{"/admin": "203.0.113.9", "/delivery/v1/x": "203.0.113.9", "/media/x": ""} {
		var got *http.Request
		o := Origin{Host: "abc.execute-api.r.amazonaws.com", Secret: "s", API: http.HandlerFunc(
			func(_ http.ResponseWriter, r *http.Request) { got = r })}
		r := httptest.NewRequest("GET", "https://cms.example.com"+path, nil)
		r.RemoteAddr = "203.0.113.9:5555"
		r.Header.Set("X-Viewer-Address", "1.1.1.1")
		o.ServeHTTP(httptest.NewRecorder(), r)
		if h := got.Header; h.Get("X-Viewer-Address") != want || h.Get("X-Origin-Verify") != "s" ||
			got.Host != o.Host || got.RemoteAddr == r.RemoteAddr {
			t.Errorf("%s: %s asks %s with %v", path, got.RemoteAddr, got.Host, h)
		}
	}
}
