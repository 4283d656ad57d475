package eml_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"headless/pkg/blob"
	"headless/pkg/blob/disk"
	"headless/pkg/mail"
	"headless/pkg/mail/eml"
	"headless/pkg/mail/mailtest"
	"headless/pkg/must"
)

func now() time.Time { return time.Date(2026, 3, 1, 13, 0, 0, 7e6, time.FixedZone("CET", 3600)) }

func open(t *testing.T) (*disk.Store, string) {
	t.Helper()
	root := t.TempDir()
	store, err := disk.Open(root, disk.Options{})
	must.Do(t, err)
	return store, root
}

func TestConformance(t *testing.T) {
	mailtest.Run(t, func(t *testing.T) mailtest.Harness {
		store, _ := open(t)
		return mailtest.Harness{
			Sender: eml.New(store, now),
			Sent: func(t *testing.T) [][]byte {
				var out [][]byte
				for info, err := range store.List(t.Context(), eml.Prefix, "") {
					must.Do(t, err)
					object, err := store.Get(t.Context(), info.Key, blob.Range{})
					must.Do(t, err)
					raw, err := io.ReadAll(object.Body)
					must.Do(t, errors.Join(err, object.Body.Close()))
					out = append(out, raw)
				}
				return out
			},
		}
	})
}

func message() mail.Message {
	return mail.Message{ID: "a1-b2", From: "a@example.com", To: "b@example.com", Text: "t"}
}

func TestKey(t *testing.T) {
	store, _ := open(t)
	must.Do(t, eml.New(store, now).Send(t.Context(), message()))
	info, err := store.Stat(t.Context(), "mail/20260301T120000.007Z-a1-b2.eml")
	if err != nil || info.ContentType != "message/rfc822" {
		t.Errorf("%+v, %v", info, err)
	}
}

func TestStoreAway(t *testing.T) {
	store, root := open(t)
	must.Do(t, os.RemoveAll(root))
	if err := os.WriteFile(filepath.Clean(root), nil, 0o600); err != nil { // a file in place of the folder
		t.Fatal(err)
	}
	if err := eml.New(store, now).Send(t.Context(), message()); err == nil ||
		errors.Is(err, mail.ErrPermanent) {
		t.Errorf("Send: %v, want an error worth a retry", err)
	}
}
