package secrets

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headless/pkg/access"
	"headless/pkg/access/passwords"
	"headless/pkg/cms"
	"headless/pkg/forms"
	"headless/pkg/hooks"
	"headless/pkg/hooks/webhook"
	"headless/pkg/must"
	"headless/pkg/rooms"
	"headless/pkg/seal"
	"headless/pkg/settings"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
)

// world is a table whose clock the test moves.
type world struct {
	t     *testing.T
	now   time.Time
	table *table.Counting
	file  string // of the keys
	*rooms.Stores
}

var actor = cms.Actor{Source: cms.SourceAdmin, Name: "root@example.com"}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, now: time.Now(), file: filepath.Join(t.TempDir(), "secrets.key")}
	tb, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync(), bolt.WithClock(w.clock))
	must.Do(t, err)
	t.Cleanup(func() { _ = tb.Close() })
	w.table = table.NewCounting(tb)
	w.Stores = rooms.New(w.table, w.clock)
	must.Do(t, (&site.Locales{Store: w.Site}).EnsureDefault(t.Context()))
	return w
}

func (w *world) clock() time.Time { return w.now }

// process is another process on the same table and keys.
func (w *world) process() *Resealer {
	st := rooms.New(w.table, w.clock)
	keys := seal.NewKeys(seal.File(w.file), w.clock)
	st.UseSealer(keys)
	return &Resealer{Stores: st, Keys: keys, Log: slog.New(slog.DiscardHandler)}
}

func (w *world) run(r *Resealer) {
	w.t.Helper()
	must.Do(w.t, r.Run(w.t.Context()))
}

// keep stores one secret of each kind and returns what reads the stored ones.
func (w *world) keep(st *rooms.Stores) (stored func() []string) {
	w.t.Helper()
	ctx := w.t.Context()
	fail := func(err error) {
		w.t.Helper()
		must.Do(w.t, err)
	}
	subscriptions := hooks.Webhooks{Deliveries: &hooks.Deliveries{Store: st.Hooks,
		Client: webhook.NewClient(webhook.Policy{}, webhook.Options{})}}
	hook, err := subscriptions.Create(ctx, actor, map[string]any{"url": "https://name.invalid/",
		"secret": "a signing secret of a hook"})
	fail(err)
	_, err = (&forms.Forms{Store: st.Forms}).Create(ctx, actor, map[string]any{
		"slug": "contact", "name": "Contact", "recaptcha": map[string]any{"site_key": "site",
			"secret_key": "RECAPTCHA"},
	})
	fail(err)
	_, err = (&settings.Settings{Store: st.Site}).Update(ctx, actor,
		[]any{map[string]any{"group": "mail", "key": "password", "value": "SMTP"}}, nil)
	fail(err)
	_, _, err = (&access.Users{Store: st.Access, Passwords: passwords.New(0)}).EnsureFirst(ctx,
		"root@example.com", "a long enough password")
	fail(err)
	users, err := st.Access.Users(ctx)
	fail(err)
	user := users.List[0]
	user.Factors.TOTP, err = st.Seal([]byte("TOTP"))
	fail(err)
	tx := st.Begin()
	access.PutFactors(tx, user)
	fail(st.Commit(ctx, tx))
	return func() []string {
		w.t.Helper()
		one, err := st.Hooks.Webhook(ctx, hook.ID)
		fail(err)
		now, err := st.Site.Site(ctx)
		fail(err)
		users, err := st.Access.Users(ctx)
		fail(err)
		return []string{one.Secret, now.Forms["contact"].Recaptcha.SecretKey, now.Settings[0].Value,
			string(users.List[0].Factors.TOTP)}
	}
}

var plain = []string{"a signing secret of a hook", "RECAPTCHA", "SMTP", "TOTP"}

// opened are stored secrets as a process opens them.
func (w *world) opened(r *Resealer, stored []string) string {
	var texts []string
	for _, s := range stored {
		text, err := r.Stores.UnsealText(s)
		if !seal.IsText(s) {
			var raw []byte
			raw, err = r.Stores.Unseal([]byte(s))
			text = string(raw)
		}
		if err != nil {
			w.t.Errorf("%q: %v", s, err)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ",")
}

// TestEarlierSecretsAreSealed: secrets that were stored without a key are read, sealed by the first
// runs, and left alone after that.
func TestEarlierSecretsAreSealed(t *testing.T) {
	w := newWorld(t)
	stored := w.keep(w.Stores) // without a key: only marked
	hook, err := w.Hooks.Webhooks(t.Context())
	must.Do(t, err)
	old := hook[0]
	old.Secret, old.Ed25519Key, old.Ed25519 = plain[0], "", true // as the version before stored it
	tx := w.Begin()
	hooks.PutWebhook(tx, old)
	must.Do(t, w.Commit(t.Context(), tx))
	r := w.process()
	if s, err := r.Stores.Hooks.Secrets(&old); err != nil || s.Current != plain[0] {
		t.Errorf("before: %+v, %v", s, err)
	}
	w.run(r)
	for _, s := range stored() {
		if raw, err := (seal.Plain{}).Open([]byte(s)); err == nil || s == plain[0] {
			t.Errorf("stored in clear: %q", raw)
		}
	}
	if got := w.opened(r, stored()); got != strings.Join(plain, ",") {
		t.Errorf("opened %s", got)
	}
	if again, err := r.Stores.Hooks.Webhook(t.Context(), old.ID); err != nil ||
		again.Ed25519Key != webhook.PublicKey(plain[0]) {
		t.Errorf("the public key is %q, %v", again.Ed25519Key, err)
	}
	w.now = w.now.Add(settle + time.Second)
	w.run(r)
	w.table.Reset()
	w.run(r)
	if u := w.table.Snapshot(); u.WriteUnits > 0 || u.ReadUnits > 1 {
		t.Errorf("with nothing to do: %+v", u)
	}
}

// TestRotation: a new key seals everything again, also what a process wrote that did not know of
// it.
func TestRotation(t *testing.T) {
	w := newWorld(t)
	r := w.process()
	stored := w.keep(r.Stores)
	w.run(r)
	w.now = w.now.Add(settle + time.Second)
	w.run(r)
	before, keys := stored(), w.keys()
	must.Do(t, Rotate(t.Context(), w.DB))
	w.run(r)
	after := stored()
	for i := range after {
		if after[i] == before[i] {
			t.Errorf("%s is sealed with the old key", plain[i])
		}
	}
	if got := w.opened(r, after); got != strings.Join(plain, ",") {
		t.Errorf("opened %s", got)
	}
	if now := w.keys(); len(now) != len(keys)+1 {
		t.Errorf("%d keys", len(now))
	}
	// Another process goes on with the old key for a while: a later run finds its secrets.
	late := stored()
	r.Stores.UseSealer(seal.NewKeys(seal.File(w.olderKeys()), w.clock))
	hook, err := r.Stores.Hooks.Webhooks(context.Background())
	must.Do(t, err)
	if hook[0].Secret, err = r.Stores.SealText(plain[0]); err != nil {
		t.Fatal(err)
	}
	tx := r.Stores.Begin()
	hooks.PutWebhook(tx, hook[0])
	must.Do(t, r.Stores.Commit(t.Context(), tx))
	written := stored()[0]
	if r = w.process(); written == late[0] {
		t.Fatal("nothing was written")
	}
	w.run(r)
	if now := stored()[0]; now == written || w.opened(r, []string{now}) != plain[0] {
		t.Error("what another process wrote stays sealed with the old key")
	}
	if len(w.keys()) != len(keys)+1 {
		t.Error("a run more made another key")
	}
}

// TestAnotherKMSKey: choosing another key of KMS makes a new key, once.
func TestAnotherKMSKey(t *testing.T) {
	w := newWorld(t)
	r := w.process()
	w.keep(r.Stores)
	w.run(r)
	r.KMSKey = "arn:aws:kms:us-east-1:000000000000:key/1"
	for range 3 {
		w.run(r)
	}
	if n := len(w.keys()); n != 2 {
		t.Errorf("%d keys", n)
	}
}

func (w *world) keys() []string {
	w.t.Helper()
	text, err := seal.File(w.file).Read()
	must.Do(w.t, err)
	return strings.Fields(text)
}

// olderKeys is a file of the keys without the newest.
func (w *world) olderKeys() string {
	w.t.Helper()
	path := filepath.Join(w.t.TempDir(), "older.key")
	must.Do(w.t, os.WriteFile(path, []byte(strings.Join(w.keys()[1:], "\n")), 0o600))
	return path
}
