package mcp

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/access/grants"
	"headless/pkg/cms"
	"headless/pkg/cms/cmstest"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/rights"
	"headless/pkg/table/bolt"
	"headless/pkg/web"
)

// TestVisitorChangedWhileBodyArrives shuts the user of a program out, or takes rights away, while the body of a request
// arrives slowly: the body cannot be read, also by a second reader.
func TestVisitorChangedWhileBodyArrives(t *testing.T) {
	for _, change := range []struct {
		role cms.UserRole
		ends bool
		want cms.Code
	}{
		{cms.RoleEditor, false, ""}, {cms.RoleViewer, false, cms.CodeForbidden},
		{cms.RoleEditor, true, cms.CodeUnauthorized},
	} {
		synctest.Test(t, func(t *testing.T) {
			file, err := bolt.Open(filepath.Join(t.TempDir(), "table.db"), bolt.WithoutSync())
			must.Do(t, err)
			defer func() { must.Do(t, file.Close()) }()
			s := &grants.Grants{DB: db.New(file, time.Now)}
			put := func(role cms.UserRole, active bool) {
				tx := s.DB.Begin()
				rights.Put(tx, cms.User{ID: "u", Email: "ada@example.com", Role: role, IsActive: active}, rights.SignIn{})
				must.Do(t, s.DB.Commit(t.Context(), tx))
			}
			put(cms.RoleEditor, true)
			const proof, redirect = "a-verifier-that-is-long-enough-for-the-rule-of-43", "https://a.example/cb"
			p, err := s.Register(t.Context(), "n", []byte(`{"client_name": "A", "redirect_uris": ["`+redirect+`"]}`))
			must.Do(t, err)
			sum := sha256.Sum256([]byte(proof))
			code, err := s.Approve(t.Context(), cms.Actor{}, grants.Consent{Program: p, Level: grants.LevelDraft,
				Redirect: redirect, Challenge: base64.RawURLEncoding.EncodeToString(sum[:]), UserID: "u",
				Also: func(*db.Tx) {}})
			must.Do(t, err)
			tokens, err := s.Redeem(t.Context(), cms.Actor{}, p.ID, code, redirect, proof)
			must.Do(t, err)
			r := httptest.NewRequest("POST", Path, &cmstest.Body{Reader: strings.NewReader("{}"), WhileSent: func() {
				put(change.role, !change.ends)
				time.Sleep(2 * time.Second)
			}})
			r = (&Handler{Grants: s}).identify(httptest.NewRecorder(), r, tokens.Access)
			for range 2 {
				_, err = io.ReadAll(r.Body)
				refused, ok := errors.AsType[*web.RefusedError](err)
				if ok != (change.want != "") || ok && cms.CodeOf(refused.Err) != change.want {
					t.Errorf("%s, ends %t: %v", change.role, change.ends, err)
				}
			}
		})
	}
}
