package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"headless/pkg/must"
	"headless/scripts/awslocal/pump"
	"headless/scripts/internal/local"
	"headless/scripts/internal/service"
	"headless/scripts/internal/template"
)

// world is a deployment in use.
type world struct {
	t         *testing.T
	ctx       context.Context // ends with stop
	stop      func()
	d         *deployment
	recording *recording
	units     *meter // of the table; nil unless they are counted
	alarms    []alarm
	built     string // folder of the functions
	log       string // file

	headers  map[string]string // of requests to the API
	delivery string            // path of the delivery API with its key

	admin    *service.Admin
	received atomic.Int64 // webhooks
	billed   atomic.Int64 // tags and paths that CloudFront was told

	receiverDown, cdnDown, unscheduled atomic.Bool

	delay    atomic.Int64                                // of each request to the table
	throttle atomic.Pointer[func(operation string) bool] // of the table
}

// newWorld makes a world with all that the traffic needs. Nobody reads the events of the function
// that idles.
func newWorld(t *testing.T, e *emulators, built, prefix, idle string) *world {
	t.Helper()
	w := startWorld(t, e, built, prefix)
	w.loadAlarms()
	w.d.specs = slices.DeleteFunc(w.d.specs, func(f template.Function) bool { return f.ID == idle })
	w.retrySoon("WebhookQueue", "MailQueue")
	w.d.pump(w.ctx, time.Hour) // the rounds call the sweeper
	w.firstUser()
	w.fill()
	return w
}

// startWorld deploys functions from a folder. The prefix names the resources, which stay.
func startWorld(t *testing.T, e *emulators, built, prefix string) *world {
	t.Helper()
	w := &world{t: t, built: filepath.Join(t.TempDir(), "built")}
	must.Do(t, os.CopyFS(w.built, os.DirFS(built)))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must.Do(t, err)
	cdn := httptest.NewServer(http.HandlerFunc(w.invalidate))
	t.Cleanup(cdn.Close)
	o := options{template: "template.yaml", prefix: prefix, built: w.built,
		log: filepath.Join(t.TempDir(), "log"), copies: 8, endpoints: e.addresses,
		parameters: map[string]string{"WebhookAllowInsecure": "true", "TrustedProxies": "127.0.0.0/8"},
		variables: map[string]string{"DISTRIBUTION_ID": "CDN", "MEDIA_DISTRIBUTION_ID": "CDN",
			"AWS_ENDPOINT_URL_CLOUDFRONT": cdn.URL}}
	log, err := os.Create(o.log)
	must.Do(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	w.ctx, w.log = ctx, o.log
	if w.d, err = deploy(ctx, o, "http://"+listener.Addr().String(), log); err != nil {
		t.Fatal(err)
	}
	w.d.guard.Before = w.before
	w.recording = newRecording(t, o.log, prefix)
	server := &http.Server{Handler: w.d.handler(), ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(listener)
	w.stop = sync.OnceFunc(func() {
		cancel()
		server.Close()
		w.d.close()
		log.Close()
	})
	t.Cleanup(w.stop)
	return w
}

// loadAlarms reads the alarms as a stack beside the one in use would have them.
func (w *world) loadAlarms() {
	w.t.Helper()
	stack, err := template.Load("template.yaml")
	must.Do(w.t, err)
	scope := w.d.scope
	scope.Refs = maps.Clone(scope.Refs)
	for _, f := range w.d.specs {
		scope.Refs[f.ID] = f.ID
	}
	stored, err := stack.Stored(scope)
	must.Do(w.t, err)
	observability, err := template.Load("infra/observability.yaml")
	must.Do(w.t, err)
	w.alarms, err = readAlarms(observability, template.Scope{Stored: stored,
		Parameters: map[string]string{"ServiceStack": w.d.cloud.Prefix, "OverdueStep": overdue,
			"LatencyP90": slow}})
	must.Do(w.t, err)
}

// retrySoon has failed messages come again after a second, not after six minutes.
func (w *world) retrySoon(queues ...string) {
	w.t.Helper()
	for _, id := range queues {
		_, err := w.d.cloud.Queues.SetQueueAttributes(w.t.Context(), &sqs.SetQueueAttributesInput{
			QueueUrl:   aws.String(w.d.scope.Refs[id]),
			Attributes: map[string]string{"VisibilityTimeout": "1"}})
		must.Do(w.t, err)
	}
}

// firstUser makes the user of fill.
func (w *world) firstUser() {
	w.t.Helper()
	variables := w.d.environment()
	maps.Copy(variables, map[string]string{"ADMIN_EMAIL": service.Email,
		"ADMIN_PASSWORD": service.Password, "SEED": "none", "DATA_DIR": w.t.TempDir()})
	must.Do(w.t, local.Ready(w.t.Context(), variables, io.Discard))
}

// fill creates the needs of the traffic: a model, a form that sends mail, keys and a webhook.
func (w *world) fill() {
	w.t.Helper()
	receiver := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		w.received.Add(1)
		if w.receiverDown.Load() {
			rw.WriteHeader(http.StatusInternalServerError)
		}
	}))
	w.t.Cleanup(receiver.Close)
	admin := service.SignIn(w.t, w.d.address)
	w.admin = admin
	admin.Do("POST", "/admin/models", map[string]any{"slug": "posts", "name": "Posts",
		"fields": []any{map[string]any{"name": "rank", "label": "Rank", "type": "number"},
			map[string]any{"name": "body", "label": "Body", "type": "textarea", "searchable": true}}}, nil)
	admin.Do("POST", "/admin/forms", map[string]any{"slug": "contact", "name": "Contact",
		"notify_emails": []string{"desk@example.com"},
		"fields": []any{map[string]any{"name": "message", "label": "Message",
			"type": "textarea"}}}, nil)
	admin.Do("POST", "/admin/webhooks", map[string]any{"name": "Receiver", "url": receiver.URL,
		"events": []string{"entry.*"}}, nil)
	key := admin.MakeKey(map[string]any{"name": "traffic", "rate_limit": 100000,
		"scopes": []string{"read", "write", "delete"}})
	w.headers = map[string]string{"X-API-Key": key.PublicKey, "X-API-Secret": key.Secret}
	published := admin.MakeKey(map[string]any{"name": "site", "rate_limit": 100000, "kind": "publishable"})
	w.delivery = "/delivery/v1/" + published.PublicKey
}

// run makes rounds of traffic and returns the alarms that ring.
func (w *world) run(f fault) []string {
	w.t.Helper()
	w.round(0) // everything is warm and all of it works
	w.quiet()
	w.recording.skip(w.t)
	if f.inject != nil {
		f.inject(w)
	}
	for i := range max(f.rounds, few) {
		end := time.Now().Add(roundTime)
		w.round(i + 1)
		if f.each != nil {
			f.each(w)
		}
		time.Sleep(time.Until(end)) // the length of a round, which the ages of work are measured by
		w.recording.queues(w.t.Context(), w.t, w.d)
		w.recording.step(w.t)
	}
	return w.recording.ringing(w.alarms)
}

// round sends the requests of a round, and lets the schedule call the sweeper.
func (w *world) round(n int) {
	type request struct {
		method, path string
		body         any
	}
	list := []request{
		{"POST", "/api/v1/forms/contact/submit", map[string]any{"message": fmt.Sprint("Hello ", n)}},
	}
	for i := range 2 {
		list = append(list, request{"POST", "/api/v1/posts", map[string]any{
			"title": fmt.Sprint("Post ", n, i), "status": "published",
			"data": map[string]any{"body": "words to be found"}}})
	}
	for range 5 { // so that each function alone can make five answers with 5xx
		// No cache has an answer to a search for a random word.
		for _, path := range []string{"/api/v1/posts?per_page=20",
			w.delivery + fmt.Sprint("/posts?q=", rand.Int()),
			"/api/v1/settings", "/api/v1/search?q=words", "/api/v1/upload/files",
			"/api/v1/forms/contact", "/media/none?w=20", "/mcp", "/admin/login"} {
			list = append(list, request{"GET", path, nil})
		}
	}
	requests, clients := make(chan request), sync.WaitGroup{}
	for range 4 {
		clients.Go(func() {
			for r := range requests {
				w.send(r.method, r.path, r.body)
			}
		})
	}
	for _, r := range list {
		requests <- r
	}
	close(requests)
	clients.Wait()
	w.upload()
	if !w.unscheduled.Load() {
		w.sweep()
	}
}

// sweep calls the sweeper, whatever comes of it.
func (w *world) sweep() {
	w.recording.add("AWS/Events", "Invocations", "RuleName="+w.recording.prefix+"-Sweep", 1)
	_ = w.invokeSweeper()
}

func (w *world) invokeSweeper() error {
	_, err := w.d.functions["SweeperFunction"].Invoke(context.Background(), pump.Scheduled(time.Now()))
	return err
}

// send makes a request whatever comes of it: the metrics tell.
func (w *world) send(method, path string, body any) {
	var text []byte
	if body != nil {
		text, _ = json.Marshal(body) // maps of texts always encode
	}
	w.post(method, path, "application/json", bytes.NewReader(text))
}

func (w *world) post(method, path, kind string, body io.Reader) {
	req, err := http.NewRequest(method, w.d.address+path, body)
	if err != nil {
		w.t.Error(err)
		return
	}
	req.Header.Set("Content-Type", kind)
	for name, value := range w.headers {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Error(err)
		return
	}
	io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
}

func (w *world) upload() {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "note.txt")
	must.Do(w.t, err)
	io.WriteString(part, "a note")
	form.Close()
	w.post("POST", "/api/v1/upload", form.FormDataContentType(), &body)
}
