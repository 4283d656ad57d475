package grants

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/rights"
	"headless/pkg/table/bolt"
)

const proof = "a-verifier-that-is-long-enough-for-the-rule-of-43"

// start returns grants on a table that keeps expired rows, as DynamoDB does for a while, and a
// function that moves the clock.
func start(t *testing.T) (s *Grants, wait func(time.Duration)) {
	t.Helper()
	at := time.Now()
	file, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync(),
		bolt.WithClock(func() time.Time { return time.Time{} }))
	must.Do(t, err)
	t.Cleanup(func() { _ = file.Close() })
	s = &Grants{DB: db.New(file, func() time.Time { return at })}
	tx := s.DB.Begin()
	rights.Put(tx, cms.User{ID: "u", Email: "ada@example.com", Role: cms.RoleEditor, IsActive: true}, rights.SignIn{})
	must.Do(t, s.DB.Commit(t.Context(), tx))
	return s, func(d time.Duration) { at = at.Add(d) }
}

func (s *Grants) approve(t *testing.T, p Program) (code string) {
	t.Helper()
	sum := sha256.Sum256([]byte(proof))
	code, err := s.Approve(t.Context(), cms.Actor{},
		Consent{Program: p, Level: LevelDraft, Redirect: "https://a.example/cb",
			Challenge: base64.RawURLEncoding.EncodeToString(sum[:]), UserID: "u", Also: func(*db.Tx) {}})
	must.Do(t, err)
	return code
}

func said(err error) string {
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r.Code
	}
	return string(cms.CodeOf(err))
}

// TestTimes: codes, tokens and unused programs end at their time, even if their rows are still there.
func TestTimes(t *testing.T) {
	s, wait := start(t)
	p, err := s.Register(t.Context(), "n", []byte(`{"client_name": "A", "redirect_uris": ["https://a.example/cb"]}`))
	must.Do(t, err)
	late := s.approve(t, p)
	wait(codeTime)
	_, err = s.Redeem(t.Context(), cms.Actor{}, p.ID, late, "https://a.example/cb", proof)
	if said(err) != "invalid_grant" {
		t.Errorf("a code after a minute: %v", err)
	}
	first, err := s.Redeem(t.Context(), cms.Actor{}, p.ID, s.approve(t, p), "https://a.example/cb", proof)
	must.Do(t, err)
	wait(accessTime - time.Second)
	if o, err := s.Owner(t.Context(), first.Access); err != nil || o.Actor.Name != "ada@example.com" || !o.Actor.Reviewed {
		t.Errorf("the owner is %v, %v", o, err)
	}
	wait(time.Second)
	if _, err := s.Owner(t.Context(), first.Access); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("an access token after an hour: %v", err)
	}
	second, err := s.Renew(t.Context(), cms.Actor{}, p.ID, first.Refresh)
	must.Do(t, err)
	wait(lostTime - time.Second)
	if _, err := s.Renew(t.Context(), cms.Actor{}, p.ID, first.Refresh); err != nil {
		t.Errorf("after a lost answer: %v", err)
	}
	wait(refreshTime - time.Second)
	if _, err := s.Renew(t.Context(), cms.Actor{}, p.ID, second.Refresh); err != nil {
		t.Errorf("after 30 days but a second: %v", err)
	}
	wait(lostTime)
	if _, err := s.Renew(t.Context(), cms.Actor{}, p.ID, second.Refresh); said(err) != "invalid_grant" {
		t.Errorf("replayed after 30 seconds: %v", err)
	}
	if list, err := s.List(t.Context(), "u"); err != nil || len(list) != 0 {
		t.Errorf("a replayed grant: %v, %v", list, err)
	}
	if _, err := s.Program(t.Context(), p.ID); err != nil {
		t.Errorf("a program in use: %v", err)
	}
	unused, err := s.Register(t.Context(), "n", []byte(`{"redirect_uris": ["http://[::1]/cb"]}`))
	must.Do(t, err)
	wait(unusedTime)
	if _, err := s.Program(t.Context(), unused.ID); said(err) != "invalid_client" {
		t.Errorf("an unused program after a day: %v", err)
	}
}

// TestEndedWithTheAccount: grants that a change of the account ended take the place of none.
func TestEndedWithTheAccount(t *testing.T) {
	s, _ := start(t)
	for range maxGrants {
		s.approve(t, Program{ID: "https://a.example/client.json"})
	}
	approve := func(resets int64) error {
		_, err := s.Approve(t.Context(), cms.Actor{}, Consent{Program: Program{ID: "https://a.example/client.json"},
			Level: LevelRead, UserID: "u", Resets: resets, Also: func(*db.Tx) {}})
		return err
	}
	if err := approve(0); cms.CodeOf(err) != cms.CodeConflict {
		t.Errorf("one more than %d: %v", maxGrants, err)
	}
	if err := approve(1); err != nil {
		t.Errorf("after a new password: %v", err)
	}
}

// TestRegisterLimit: a network registers 20 programs an hour.
func TestRegisterLimit(t *testing.T) {
	s, _ := start(t)
	for i := range registerLimit + 1 {
		_, err := s.Register(t.Context(), "n", []byte(`{"redirect_uris": ["https://a.example/cb"]}`))
		if over := i == registerLimit; over != (cms.CodeOf(err) == cms.CodeRateLimited) {
			t.Fatalf("the registration %d: %v", i+1, err)
		}
	}
}

// TestRedirects: addresses are compared exactly, but for the port of http on loopback.
func TestRedirects(t *testing.T) {
	p := Program{Redirects: []string{"https://a.example/cb?x=1", "http://127.0.0.1:1/cb", "com.example.app:/cb"}}
	for address, want := range map[string]bool{
		"https://a.example/cb?x=1": true, "https://a.example/cb": false, "https://a.example:444/cb?x=1": false,
		"https://A.example/cb?x=1": false, "http://127.0.0.1:2/cb": true, "http://127.0.0.1/cb": true,
		"http://localhost:1/cb": false, "http://127.0.0.1:2/cb/": false, "https://127.0.0.1:2/cb": false,
		"http://127.0.0.1:2@evil.example/cb": false, "http://x@127.0.0.1:2/cb": false, "com.example.app:/cb": true, "": false,
	} {
		if p.MayRedirect(address) != want {
			t.Errorf("%q: %t", address, !want)
		}
	}
	for address, want := range map[string]bool{"javascript:alert(1)": false, "http://a.example/": false,
		"data:text/html,x": false,
		"https://":         false, "https://a.example/#": false, "http://localhost:3/cb": true,
		"https://a.example/\n": false, "https://exаmple.com/": false} { // a Cyrillic letter
		if validRedirect(address) != want {
			t.Errorf("%q is valid: %t", address, !want)
		}
	}
}

// TestMetadataDocuments: a document that a client id names is read, and must name the id.
func TestMetadataDocuments(t *testing.T) {
	s, _ := start(t)
	document := `{"client_id": "https://a.example/client.json", "client_name": "A\u202e", "redirect_uris": ["https://a.example/cb"]}`
	s.Fetch = func(ctx context.Context, _ string, limit int64) ([]byte, error) {
		if end, ok := ctx.Deadline(); !ok || time.Until(end) > metadataTime || limit != maxMetadata {
			t.Errorf("read without limits")
		}
		return []byte(document), nil
	}
	for id, want := range map[string]string{"https://a.example/client.json": "",
		"https://a.example/other.json": "invalid_client",
		"https://a.example":            "invalid_client", "https://a.example/../client.json": "invalid_client",
		"https://x@a.example/client.json": "invalid_client", "none": "invalid_client"} {
		p, err := s.Program(t.Context(), id)
		if said(err) != want || want == "" && (p.Name != "A" || strings.Join(p.Redirects, " ") != "https://a.example/cb") {
			t.Errorf("%s: %v, %v", id, p, err)
		}
	}
}
