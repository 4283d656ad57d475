package embedded

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"headless/pkg/app"
	"headless/pkg/db"
	"headless/pkg/must"
)

// adminUser calls the admin area of a server.
type adminUser struct {
	t      *testing.T
	server *Server
	token  string
}

// do makes a request and returns the data of the answer.
func (a *adminUser) do(method, path string, body any) map[string]any {
	a.t.Helper()
	raw, err := json.Marshal(body)
	must.Do(a.t, err)
	r := httptest.NewRequest(method, "/admin"+path, bytes.NewReader(raw))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	if a.token != "" {
		r.Header.Set("Authorization", "Bearer "+a.token)
	}
	w := httptest.NewRecorder()
	a.server.ServeHTTP(w, r)
	var answer struct{ Data any }
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code/100 != 2 {
		a.t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
	}
	data, _ := answer.Data.(map[string]any)
	return data
}

// TestSecretsAreSealed writes every kind of secret as users do, and then finds none of them in the
// files of the tables.
func TestSecretsAreSealed(t *testing.T) {
	cfg, err := app.FromEnv(func(string) string { return "" })
	must.Do(t, err)
	const password = "a long enough password"
	cfg.DataDir, cfg.Seed, cfg.AdminEmail, cfg.AdminPassword = t.TempDir(), "none",
		"root@example.com", password
	server, err := New(cfg, slog.New(slog.DiscardHandler))
	must.Do(t, err)
	a := &adminUser{t: t, server: server}
	a.token = a.do("POST", "/login",
		map[string]any{"email": cfg.AdminEmail, "password": password})["token"].(string)
	secrets := map[string]string{"chosen": "a chosen signing secret",
		"rotated": "another signing secret", "recaptcha": "RECAPTCHASECRET", "setting": "SMTPPASSWORD"}

	hook := a.do("POST", "/webhooks", map[string]any{"url": "https://name.invalid/", "events": []string{}})
	secrets["made"] = hook["secret"].(string)
	at := "/webhooks/" + hook["id"].(string)
	a.do("PUT", at, map[string]any{"secret": secrets["chosen"] + " of a webhook", "ed25519": true})
	a.do("POST", at+"/rotate-secret", map[string]any{"secret": secrets["rotated"] + " of a webhook"})
	a.do("POST", "/forms", map[string]any{
		"slug": "contact", "name": "Contact", "fields": []any{},
		"recaptcha": map[string]any{"site_key": "site", "secret_key": secrets["recaptcha"]},
	})
	a.do("PUT", "/settings",
		[]any{map[string]any{"group": "mail", "key": "smtp_password", "value": secrets["setting"]}})
	a.do("POST", "/models", map[string]any{"slug": "posts", "name": "Posts", "fields": []any{}})
	entry := a.do("POST", "/models/posts/entries", map[string]any{"title": "T"})
	if link := a.do("POST", "/models/posts/entries/"+entry["id"].(string)+"/preview",
		map[string]any{}); link["token"] == "" {
		t.Error("no preview link")
	}
	otp := a.do("POST", "/totp", map[string]any{"password": password})["secret"].(string)
	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(otp)
	must.Do(t, err)
	secrets["totp"] = string(raw)
	must.Do(t, server.Close())

	if info, err := os.Stat(filepath.Join(cfg.DataDir, "secrets.key")); err != nil ||
		info.Mode().Perm() != 0o600 {
		t.Errorf("the key file: %v, %v", info, err)
	}
	for _, file := range []string{"table.db", "requests"} {
		path := filepath.Join(cfg.DataDir, file)
		read := everything
		if file == "requests" {
			read = logged
		}
		stored := read(t, path)
		for kind, secret := range secrets {
			if bytes.Contains(stored, []byte(secret)) {
				t.Errorf("%s has a secret in clear: %s", file, kind)
			}
		}
		if file == "table.db" && !bytes.Contains(stored, []byte("smtp_password")) {
			t.Error("the test does not find what is stored")
		}
	}

	// The secrets are unchanged.
	if server, err = New(cfg, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	st, ctx := server.store, t.Context()
	stored, err := st.Hooks.Webhook(ctx, hook["id"].(string))
	must.Do(t, err)
	if s, err := st.Hooks.Secrets(&stored); err != nil ||
		!strings.HasPrefix(s.Current, secrets["rotated"]) ||
		!strings.HasPrefix(s.Previous, secrets["chosen"]) {
		t.Errorf("%+v, %v", s, err)
	}
}

// logged is all that the files of the request log hold.
func logged(t *testing.T, folder string) (all []byte) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.journal"))
	for _, file := range files {
		raw, errRead := os.ReadFile(file)
		all, err = append(all, raw...), errors.Join(err, errRead)
	}
	must.Do(t, err)
	return all
}

// base64Text is what may be base64 of 15 bytes and more.
var base64Text = regexp.MustCompile(`[A-Za-z0-9+/]{20,}={0,2}`)

// everything is all that a file of a table holds: raw, unpacked, and decoded from base64.
func everything(t *testing.T, path string) []byte {
	t.Helper()
	raw, err := os.ReadFile(path)
	must.Do(t, err)
	all := bytes.NewBuffer(raw)
	file, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true})
	must.Do(t, err)
	defer file.Close()
	err = file.View(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(_ []byte, b *bbolt.Bucket) error {
			return b.ForEach(func(_, value []byte) error {
				for i := range value { // the engine decides where the body begins
					doc, err := db.UnpackBytes(value[i:])
					if err != nil || len(doc) == len(value)-i {
						continue
					}
					all.Write(doc)
				}
				return nil
			})
		})
	})
	must.Do(t, err)
	for _, text := range base64Text.FindAll(all.Bytes(), -1) {
		plain, _ := base64.RawStdEncoding.DecodeString(strings.TrimRight(string(text), "="))
		all.Write(plain)
	}
	return all.Bytes()
}
