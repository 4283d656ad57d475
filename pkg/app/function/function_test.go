package function

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"headless/pkg/apikeys"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/queue"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

var complete = map[string]string{
	"AWS_REGION": "eu-west-1", "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret",
	"TABLE_NAME": "t",
}

func TestOpenNamesWhatIsMissing(t *testing.T) {
	if _, err := Open(func(name string) string { return complete[name] }); err != nil {
		t.Fatal(err)
	}
	for _, missing := range []string{"AWS_REGION", "AWS_ACCESS_KEY_ID", "TABLE_NAME"} {
		_, err := Open(func(name string) string {
			if name == missing {
				return ""
			}
			return complete[name]
		})
		if err == nil || !strings.Contains(err.Error(), missing) {
			t.Errorf("without %s: %v", missing, err)
		}
	}
}

func TestQueueHandler(t *testing.T) {
	var got []queue.Message
	handler := queueHandler(func(_ context.Context, messages []queue.Message) []int {
		got = messages
		return []int{1}
	})
	response, err := handler(context.Background(), events.SQSEvent{Records: []events.SQSMessage{
		{MessageId: "a", Body: "1", Attributes: map[string]string{"MessageGroupId": "g"}},
		{MessageId: "b", Body: "2"},
	}})
	must.Do(t, err)
	if want := []queue.Message{{Body: []byte("1"), Group: "g"}, {Body: []byte("2")}}; !reflect.DeepEqual(got,
		want) {
		t.Errorf("messages %v, want %v", got, want)
	}
	if want := []events.SQSBatchItemFailure{{ItemIdentifier: "b"}}; !reflect.DeepEqual(response.BatchItemFailures,
		want) {
		t.Errorf("failures %v, want %v", response.BatchItemFailures, want)
	}
}

// TestChecked: no event is handled over rows of another format.
func TestChecked(t *testing.T) {
	tbl, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	defer tbl.Close()
	mark := func(format byte) {
		t.Helper()
		for shard := range 8 {
			found, err := tbl.Get(t.Context(), table.Strong, site.ConfigKey(shard))
			if err != nil || found[0] == nil {
				t.Fatal(found, err)
			}
			item := *found[0]
			item.Body[len(item.Body)-1] = format
			must.Do(t, tbl.BatchWrite(t.Context(), []table.Item{item}, nil))
		}
	}
	keys := apikeys.New(tbl, time.Now)
	must.Do(t, (&site.Locales{Store: keys.Store}).EnsureDefault(t.Context()))
	for _, format := range []byte{db.Format - 1, db.Format + 1, db.Format} {
		mark(format)
		handled := 0
		h := Checked(&Base{Keys: apikeys.New(tbl, time.Now)}, func(_ context.Context, in int) (int, error) {
			handled = in
			return in, nil
		})
		out, err := h(t.Context(), 7)
		if right := format == db.Format; right != (err == nil) || right != (out == 7) ||
			right != (handled == 7) {
			t.Errorf("format %d: %d, %v, handled %d", format, out, err, handled)
		}
	}
}

func TestRootLeadsToTheAdminArea(t *testing.T) {
	h := root(http.NotFoundHandler())
	for path, want := range map[string]string{"/": "/admin", "/admin/": "/admin", "/api/v1/x": ""} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if got := w.Header().Get("Location"); got != want {
			t.Errorf("%s leads to %q, want %q", path, got, want)
		}
	}
}

// TestAddressOfTheService: without SITE_URL it is the one that the gateway says, not one of this
// machine.
func TestAddressOfTheService(t *testing.T) {
	b, err := Open(func(name string) string { return complete[name] })
	if err != nil || b.Config.SiteURL != "" {
		t.Fatalf("%q, %v", b.Config.SiteURL, err)
	}
	var told []string
	h := &late{open: func(siteURL string) http.Handler {
		told = append(told, siteURL)
		return http.NotFoundHandler()
	}}
	for range 2 {
		w := httptest.NewRecorder()
		h.ServeHTTP(w,
			httptest.NewRequest(http.MethodGet, "http://abc.execute-api.eu-west-1.amazonaws.com/admin", nil))
		if w.Code != http.StatusNotFound || w.Header().Get("Strict-Transport-Security") == "" {
			t.Errorf("%d %v", w.Code, w.Header())
		}
	}
	if want := []string{"https://abc.execute-api.eu-west-1.amazonaws.com"}; !reflect.DeepEqual(told, want) {
		t.Errorf("told %q, want %q once", told, want)
	}
}

// away is a table that fails to write.
type away struct {
	table.Table
	down bool
}

func (a *away) BatchWrite(ctx context.Context, puts []table.Item, deletes []table.Key) error {
	if a.down {
		return errors.New("away")
	}
	return a.Table.BatchWrite(ctx, puts, deletes)
}

func TestRequestLogKeepsWhatCouldNotBeWritten(t *testing.T) {
	inner, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	defer inner.Close()
	engine := &away{Table: inner, down: true}
	l := &requestLog{base: &Base{Keys: apikeys.New(engine, time.Now), Log: slog.New(slog.DiscardHandler)}}
	l.addLine(db.RequestLine{RequestID: "1"})
	l.flush(t.Context())
	if len(l.lines) != 1 {
		t.Fatalf("%d lines are kept, want 1", len(l.lines))
	}
	engine.down = false
	l.flush(t.Context())
	if len(l.lines) != 0 {
		t.Errorf("%d lines are kept after they were written", len(l.lines))
	}
	for range keptLines + 5 {
		l.addLine(db.RequestLine{})
	}
	if len(l.lines) != keptLines {
		t.Errorf("%d lines are kept, want %d at most", len(l.lines), keptLines)
	}
}
