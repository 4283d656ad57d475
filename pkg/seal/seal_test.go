package seal

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headless/pkg/must"
)

// counted counts what a keeper is asked.
type counted struct {
	Keeper
	reads int
}

func (c *counted) Read() (string, error) {
	c.reads++
	return c.Keeper.Read()
}

func keysAt(path string) *Keys { return NewKeys(File(path), time.Now) }

func TestSealers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secrets.key")
	file := keysAt(path)
	secret := []byte("a secret")
	for name, s := range map[string]Sealer{"plain": Plain{}, "file": file} {
		t.Run(name, func(t *testing.T) {
			one, err := s.Seal(secret)
			must.Do(t, err)
			if !opens(s, one, secret) {
				t.Fatal("it does not open what it sealed")
			}
			if name == "plain" {
				return
			}
			two, _ := s.Seal(secret)
			if bytes.Contains(one, secret) || bytes.Equal(one, two) {
				t.Error("the secret shows")
			}
			for i := range one {
				bad := bytes.Clone(one)
				bad[i] ^= 1
				if _, err := s.Open(bad); err == nil && i > 0 {
					t.Errorf("changed at %d, opened all the same", i)
				}
			}
			if !opens(s, append([]byte{formatPlain}, secret...), secret) {
				t.Error("what was stored without a key")
			}
			if _, err := (Plain{}).Open(one); err == nil {
				t.Error("opened without a key")
			}
		})
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key file: %v %v", info.Mode(), err)
	}
	if sealed, _ := file.Seal(secret); !opens(keysAt(path), sealed, secret) {
		t.Error("another start cannot open what the one before sealed")
	}
	must.Do(t, os.Chmod(path, 0o644))
	if _, err := keysAt(path).Seal(secret); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the key file: %v %v", info.Mode(), err)
	}
}

func opens(s Sealer, sealed, want []byte) bool {
	plain, err := s.Open(sealed)
	return err == nil && bytes.Equal(plain, want)
}

// TestKeeperIsAskedOnce: a process reads the keys when it first needs them, and then keeps them.
func TestKeeperIsAskedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secrets.key")
	sealed, err := keysAt(path).Seal([]byte("x"))
	must.Do(t, err)
	c := &counted{Keeper: File(path)}
	k := NewKeys(c, time.Now)
	if !opens(k, []byte{formatPlain, 'x'}, []byte("x")) || c.reads != 0 {
		t.Errorf("%d reads for what is not sealed", c.reads)
	}
	for range 5 {
		if !opens(k, sealed, []byte("x")) {
			t.Error("it does not open")
		}
		if _, err := k.Seal([]byte("y")); err != nil {
			t.Error(err)
		}
	}
	for range 5 {
		_, _ = k.Open(append([]byte{formatKey}, make([]byte, 40)...)) // what no key opens
	}
	if c.reads != 1 {
		t.Errorf("the keeper was read %d times", c.reads)
	}
}

// TestRotation: other processes open secrets that the new key sealed, and seal with it after a
// while.
func TestRotation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secrets.key")
	now := time.Now()
	clock := func() time.Time { return now }
	first, second := NewKeys(File(path), clock), NewKeys(File(path), clock)
	old, err := first.Seal([]byte("x"))
	if err != nil || !opens(second, old, []byte("x")) {
		t.Fatal(err)
	}
	must.Do(t, first.Rotate())
	if current, err := first.Current(old); current || err != nil {
		t.Errorf("the old key counts as current: %v", err)
	}
	fresh, err := Reseal(first, old)
	if err != nil || bytes.Equal(fresh, old) || !opens(first, old, []byte("x")) ||
		!opens(first, fresh, []byte("x")) {
		t.Errorf("after a rotation: %v", err)
	}
	if same, err := Reseal(first, fresh); err != nil || !bytes.Equal(same, fresh) {
		t.Errorf("sealed again with the same key: %v", err)
	}
	now = now.Add(openAge + 1)
	if !opens(second, fresh, []byte("x")) {
		t.Error("another process does not learn of the new key")
	}
	now = now.Add(SealAge + 1)
	if sealed, err := second.Seal([]byte("y")); err != nil {
		t.Error(err)
	} else if current, _ := first.Current(sealed); !current {
		t.Error("another process goes on with the old key")
	}
	for range maxKeys {
		must.Do(t, first.Rotate())
	}
	if text, err := File(path).Read(); err != nil || len(text) > 4096 ||
		len(strings.Fields(text)) != maxKeys {
		t.Errorf("%d bytes of keys, %v", len(text), err)
	}
}

func TestText(t *testing.T) {
	k := keysAt(filepath.Join(t.TempDir(), "secrets.key"))
	for _, secret := range []string{"whsec_x", "sealed:not really", ""} {
		stored, err := Text(k, secret)
		if err != nil || !IsText(stored) || strings.Contains(stored, "whsec") {
			t.Errorf("%q is stored as %q, %v", secret, stored, err)
		}
		if plain, err := OpenText(k, stored); err != nil || plain != secret {
			t.Errorf("opened %q, %v", plain, err)
		}
	}
	before, err := ResealText(k, "stored before")
	if plain, e := OpenText(k, before); err != nil || e != nil || plain != "stored before" ||
		!IsText(before) {
		t.Errorf("%q %q %v %v", before, plain, err, e)
	}
	if plain, err := OpenText(k, "stored before"); err != nil || plain != "stored before" {
		t.Errorf("%q %v", plain, err)
	}
	if _, err := OpenText(k, textPrefix+"AQ"); err == nil {
		t.Error("opened what nobody sealed")
	}
}
