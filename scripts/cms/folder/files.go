package folder

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// DownloadTimeout is the time limit of the download of one file.
const DownloadTimeout = 10 * time.Minute

// fetched is the state of a URL when it was downloaded.
type fetched struct {
	URL    string `json:"url"`
	ETag   string `json:"etag"`
	SHA256 string `json:"sha256"`
}

// Files stores the files of an export under the hashes of their bytes, and records in index.jsonl
// which URL had which bytes. A repeated or interrupted export therefore downloads only what it does
// not have.
type Files struct {
	dir   string
	known map[string]fetched // by URL
	index *os.File
}

// Open opens a file of a folder that may come from somebody else. Neither the name nor a link leads out of the folder:
// an import must not take other files of this machine.
func Open(dir, name string) (*os.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	f, err := root.Open(name)
	return f, errors.Join(err, root.Close())
}

// OpenFiles opens the folder of an export's files.
func OpenFiles(dir string) (*Files, error) {
	s := &Files{dir: dir, known: map[string]fetched{}}
	index, err := os.OpenFile(filepath.Join(dir, "index.jsonl"), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	s.index = index
	for lines := bufio.NewScanner(index); lines.Scan(); {
		var f fetched
		if json.Unmarshal(lines.Bytes(), &f) == nil { // the last line may be torn
			s.known[f.URL] = f
		}
	}
	return s, nil
}

func (s *Files) Close() { s.index.Close() }

// Fetch stores the content of a URL and returns the hash of its bytes. Content that is stored and
// has not changed is not downloaded again.
func (s *Files) Fetch(address string) (hash string, err error) {
	was := s.known[address]
	if was.SHA256 != "" {
		if _, err := os.Stat(filepath.Join(s.dir, filepath.Base(was.SHA256))); err != nil {
			was = fetched{}
		}
	}
	hash, etag, err := downloadUnless(address, was.ETag, s.dir)
	if err != nil || hash == "" {
		return was.SHA256, err
	}
	line, err := json.Marshal(fetched{address, etag, hash})
	if err != nil {
		return "", err
	}
	_, err = s.index.Write(append([]byte{'\n'}, append(line, '\n')...))
	return hash, err
}

// Download stores the content of a URL in dir under the hash of its bytes.
func Download(address, dir string) (hash string, err error) {
	hash, _, err = downloadUnless(address, "", dir)
	return hash, err
}

// Hash returns the hash of the content of a URL, "" if it still has the given ETag.
func Hash(address, etag string) (hash string, err error) {
	body, _, err := open(address, etag)
	if err != nil || body == nil {
		return "", err
	}
	defer body.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, body)
	return hex.EncodeToString(sum.Sum(nil)), err
}

// downloadUnless is like Download, and returns the ETag of the content as now. hash is "" if the
// URL still has the given ETag.
func downloadUnless(address, etag, dir string) (hash, now string, err error) {
	body, now, err := open(address, etag)
	if err != nil || body == nil {
		return "", etag, err
	}
	defer body.Close()
	hash, err = Store(body, dir)
	return hash, now, err
}

// open requests the content of a URL. body is nil if it still has the given ETag.
func open(address, etag string) (body io.ReadCloser, now string, err error) {
	req, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, "", err
	}
	if etag != "" {
		req.Header.Set("If-None-Match", etag)
	}
	resp, err := (&http.Client{Timeout: DownloadTimeout}).Do(req)
	if err != nil {
		return nil, "", err
	}
	if resp.StatusCode == http.StatusOK {
		return resp.Body, resp.Header.Get("ETag"), nil
	}
	resp.Body.Close()
	if resp.StatusCode == http.StatusNotModified && etag != "" {
		return nil, etag, nil
	}
	return nil, "", fmt.Errorf("%s answers %s", address, resp.Status)
}

// Store stores the content of a reader in dir under the hash of its bytes.
func Store(r io.Reader, dir string) (hash string, err error) {
	f, err := os.CreateTemp(dir, "part-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	sum := sha256.New()
	_, err = io.Copy(io.MultiWriter(f, sum), r)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", err
	}
	hash = hex.EncodeToString(sum.Sum(nil))
	return hash, os.Rename(f.Name(), filepath.Join(dir, hash))
}
