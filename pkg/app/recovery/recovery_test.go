package recovery

import (
	"encoding/xml"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"headless/pkg/access"
	"headless/pkg/access/passwords"
	"headless/pkg/app/awsconf/awss3"
	"headless/pkg/app/awsconf/awsssm/ssmtest"
	"headless/pkg/blob/disk"
	"headless/pkg/must"
	"headless/pkg/rooms"
	"headless/pkg/seal"
	"headless/pkg/site"
	"headless/pkg/slice"
	"headless/pkg/table/bolt"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func TestChoose(t *testing.T) {
	at := func(minutes int, id string, deleted bool) version {
		return version{key: "media/x", id: id, modified: noon.Add(time.Duration(minutes) * time.Minute), deleted: deleted}
	}
	for name, test := range map[string]struct {
		all  []version // the newest first
		want string    // "": none
	}{
		"unchanged":             {[]version{at(-5, "a", false)}, "a"},
		"at that second":        {[]version{at(0, "a", false)}, "a"},
		"replaced later":        {[]version{at(5, "b", false), at(-5, "a", false)}, "a"},
		"deleted later":         {[]version{at(5, "m", true), at(-5, "a", false)}, "a"},
		"deleted before":        {[]version{at(-1, "m", true), at(-5, "a", false)}, ""},
		"deleted and back":      {[]version{at(-1, "b", false), at(-2, "m", true), at(-5, "a", false)}, "b"},
		"no versions, newer":    {[]version{at(5, "null", false)}, "null"},
		"made and gone after":   {[]version{at(9, "m", true), at(5, "a", false)}, "a"},
		"only markers are left": {[]version{at(5, "m", true)}, ""},
	} {
		got, ok := chooseVersion(test.all, noon)
		if ok != (test.want != "") || ok && got.id != test.want {
			t.Errorf("%s: %s, %v, want %q", name, got.id, ok, test.want)
		}
	}
}

// TestMergeVersions holds that of an object and a marker of the same second, the current one is the newer.
func TestMergeVersions(t *testing.T) {
	for _, back := range []bool{true, false} { // the object was deleted and came back, or the other way round
		out := &s3.ListObjectVersionsOutput{
			Versions: []types.ObjectVersion{
				{Key: aws.String("a"), VersionId: aws.String("object"), LastModified: &noon, IsLatest: &back},
				{Key: aws.String("b"), VersionId: aws.String("other"), LastModified: &noon}},
			DeleteMarkers: []types.DeleteMarkerEntry{
				{Key: aws.String("a"), VersionId: aws.String("marker"), LastModified: &noon, IsLatest: aws.Bool(!back)}},
		}
		want := []string{"object", "marker", "other"}
		if !back {
			want = []string{"marker", "object", "other"}
		}
		ids := slice.Map(mergeVersions(out), func(v version) string { return v.id })
		if !slices.Equal(ids, want) {
			t.Errorf("%q, want %q", ids, want)
		}
	}
}

func TestFiles(t *testing.T) {
	stamp := func(minutes int) string {
		return noon.Add(time.Duration(minutes) * time.Minute).Format(time.RFC3339)
	}
	entry := func(kind, key, id string, minutes int, latest string) string {
		return "<" + kind + "><Key>" + key + "</Key><VersionId>" + id + "</VersionId><LastModified>" +
			stamp(minutes) + "</LastModified><IsLatest>" + latest + "</IsLatest></" + kind + ">"
	}
	pages := []string{
		"<ListVersionsResult><IsTruncated>true</IsTruncated><NextKeyMarker>media/b</NextKeyMarker>" +
			"<NextVersionIdMarker>b2</NextVersionIdMarker>" +
			entry("Version", "media/a", "a1", -5, "true") + entry("Version", "media/b", "b2", 5, "true") +
			"</ListVersionsResult>",
		"<ListVersionsResult><IsTruncated>false</IsTruncated>" + entry("Version", "media/b", "b1", -5, "false") +
			entry("DeleteMarker", "media/c", "c2", 5, "true") + entry("Version", "media/c", "c1", -5, "false") +
			entry("DeleteMarker", "media/d", "d2", -1, "true") + entry("Version", "media/d", "d1", -5, "false") +
			"</ListVersionsResult>",
		"<ListVersionsResult><IsTruncated>false</IsTruncated>" + entry("DeleteMarker", "forms/f/a", "a2", 5, "true") +
			entry("Version", "forms/f/a", "a1", -5, "false") + entry("Version", "forms/f/b", "b1", 5, "true") +
			"</ListVersionsResult>",
	}
	var mu sync.Mutex
	var copied []string
	broken := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/xml")
		if r.Method == http.MethodGet {
			page := pages[0]
			if r.URL.Query().Get("key-marker") == "media/b" && r.URL.Query().Get("version-id-marker") == "b2" {
				page = pages[1]
			}
			if r.URL.Query().Get("prefix") == "forms/" {
				page = pages[2]
			}
			_, _ = w.Write([]byte(xml.Header + page))
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if r.URL.Path == broken {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		copied = append(copied, r.Header.Get("X-Amz-Copy-Source")+" "+r.URL.Path)
		_, _ = w.Write([]byte(xml.Header + "<CopyObjectResult><ETag>x</ETag></CopyObjectResult>"))
	}))
	t.Cleanup(server.Close)
	client := awss3.New(ssmtest.New(t).Config, func(name string) string {
		return map[string]string{"AWS_ENDPOINT_URL_S3": server.URL}[name]
	})
	n, err := Files(t.Context(), client, "old", "new", noon)
	slices.Sort(copied)
	want := []string{"old/forms/f/a?versionId=a1 /new/forms/f/a", "old/media/a?versionId=a1 /new/media/a",
		"old/media/b?versionId=b1 /new/media/b",
		"old/media/c?versionId=c1 /new/media/c"}
	if err != nil || n != 4 || !slices.Equal(copied, want) {
		t.Errorf("copied %d: %q, want %q, %v", n, copied, want, err)
	}
	broken = "/new/media/b"
	if _, err := Files(t.Context(), client, "old", "new", noon); err == nil ||
		!strings.Contains(err.Error(), "media/b") {
		t.Errorf("a file that cannot be copied: %v", err)
	}
}

func TestSecrets(t *testing.T) {
	store := ssmtest.New(t)
	copySecrets := func(from, to string) ([]string, error) {
		return Secrets(store.Config, store.Getenv, from, to, "")
	}
	if _, err := copySecrets("none", "new"); err == nil {
		t.Error("no error for a stack without keys")
	}
	store.Put("/headless/old/secrets", "keys")
	store.Put("/headless/old/origin-verify", "origin")
	copied, err := copySecrets("old", "new")
	if err != nil || !slices.Equal(copied, []string{"secrets", "origin-verify"}) {
		t.Errorf("copied %q, %v", copied, err)
	}
	all := store.All()
	if p := all["/headless/new/secrets"]; p.Value != "keys" || p.Type != "SecureString" {
		t.Errorf("the keys are %+v", p)
	}
	if p := all["/headless/new/origin-verify"]; p.Value != "origin" || p.Type != "String" {
		t.Errorf("the secret of CloudFront is %+v", p)
	}
	if copied, err := copySecrets("old", "new"); err != nil || len(copied) != 0 {
		t.Errorf("a second time: copied %q, %v", copied, err)
	}
	if _, err := copySecrets("none", "new"); err != nil {
		t.Errorf("keys that somebody put there: %v", err)
	}
	store.Put("/headless/other/secrets", "other keys")
	if _, err := copySecrets("old", "other"); err == nil ||
		store.All()["/headless/other/secrets"].Value != "other keys" {
		t.Errorf("other keys: %v", err)
	}
}

// TestCheck: a table without its keys or without its files is not restored.
func TestCheck(t *testing.T) {
	folder := t.TempDir()
	table, err := bolt.Open(filepath.Join(folder, "table.db"), bolt.WithoutSync())
	must.Do(t, err)
	t.Cleanup(func() { table.Close() })
	files, err := disk.Open(filepath.Join(folder, "files"), disk.Options{UploadURL: "https://files.example.com",
		Secret: []byte("secret"), Now: time.Now})
	must.Do(t, err)
	right := filepath.Join(folder, "keys")
	check := func(keys string) error {
		t.Helper()
		r, err := Check(t.Context(), rooms.New(table, time.Now), files, seal.NewKeys(seal.File(keys), time.Now))
		must.Do(t, err)
		return r.Err()
	}
	st := rooms.New(table, time.Now)
	must.Do(t, (&site.Locales{Store: st.Site}).EnsureDefault(t.Context()))
	if check(right) == nil {
		t.Error("an empty table passes")
	}
	st.UseSealer(seal.NewKeys(seal.File(right), time.Now))
	_, _, err = (&access.Users{Store: st.Access, Passwords: passwords.New(64)}).EnsureFirst(t.Context(),
		"root@example.com", "a long enough password")
	must.Do(t, err)
	users, err := st.Access.Users(t.Context())
	must.Do(t, err)
	user := users.List[0]
	if user.Factors.TOTP, err = st.Seal([]byte("TOTP")); err != nil {
		t.Fatal(err)
	}
	tx := st.Begin()
	access.PutFactors(tx, user)
	must.Do(t, st.Commit(t.Context(), tx))
	if err := check(right); err != nil {
		t.Errorf("all of it is there: %v", err)
	}
	for name, keys := range map[string]string{"no keys": "none", "other keys": "other"} {
		path := filepath.Join(folder, keys)
		if keys == "other" {
			must.Do(t, seal.File(path).Create(strings.Repeat("ab", 32)))
		}
		if err := check(path); err == nil || !strings.Contains(err.Error(), "do not open") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
