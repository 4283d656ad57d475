package importing

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sync/errgroup"

	"headless/scripts/cms/client"
	"headless/scripts/cms/folder"
)

// uploads is how many files are sent at a time: each waits for the service and its store.
const uploads = 8

// sendContents uploads the bytes of the files that the service does not have, and adds their ids to
// uploaded.
func sendContents(c *client.Client, dir string, lines []byte, uploaded map[string]bool) error {
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(uploads)
	for line := range bytes.Lines(lines) {
		group.Go(func() error {
			id, err := sendContent(c, dir, line)
			if id != "" {
				mu.Lock()
				uploaded[id] = true
				mu.Unlock()
			}
			return err
		})
	}
	return group.Wait()
}

// importedFile is what the upload of a file needs of its line.
type importedFile struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Mime      string `json:"mime,omitempty"`
	Size      int64  `json:"size,omitempty"`
	Alt       string `json:"alt"`
	Caption   string `json:"caption"`
	CreatedAt string `json:"created_at,omitempty"`
	SHA256    string `json:"sha256,omitempty"`
}

// maxContent is the largest file that is sent in one request; larger ones go straight to the store.
const maxContent = 4 << 20

// sendContent uploads the bytes of a file that the service does not have; id is "" for others. What
// cannot be sent is named, and its line is then reported as not taken.
func sendContent(c *client.Client, dir string, line []byte) (id string, err error) {
	var file importedFile
	if json.Unmarshal(line, &file) != nil || file.ID == "" {
		return "", nil
	}
	if _, err := c.Send(http.MethodGet, "/admin/media/"+url.PathEscape(file.ID), "", nil); err == nil {
		return "", nil
	}
	content, err := os.Open(filepath.Join(dir, "files", filepath.Base(file.SHA256)))
	if err != nil {
		fmt.Fprintf(os.Stderr, "media %s: %v\n", file.ID, err)
		return "", nil
	}
	defer content.Close()
	info, err := content.Stat()
	if err != nil {
		return "", err
	}
	if file.Size = info.Size(); file.Size > maxContent && file.Mime != "" {
		err = sendDirect(c, file, content)
	} else {
		err = sendForm(c, file, content)
	}
	var refused *client.Error
	if errors.As(err, &refused) {
		fmt.Fprintf(os.Stderr, "media %s: %s\n", file.ID, refused)
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return file.ID, nil
}

// sendForm uploads a file in one request.
func sendForm(c *client.Client, file importedFile, content io.Reader) error {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for key, v := range map[string]string{"id": file.ID, "sha256": file.SHA256, "alt": file.Alt,
		"caption": file.Caption, "created_at": file.CreatedAt} {
		if err := w.WriteField(key, v); err != nil {
			return err
		}
	}
	part, err := w.CreateFormFile("file", file.Name)
	if err == nil {
		_, err = io.Copy(part, content)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return err
	}
	_, err = c.Send(http.MethodPost, "/admin/import/media", w.FormDataContentType(), body.Bytes())
	return err
}

// sendDirect uploads a file straight to the store of files.
func sendDirect(c *client.Client, file importedFile, content io.Reader) error {
	file.SHA256 = "" // the size is checked
	var begun struct {
		Upload struct {
			URL, Method string
			Headers     map[string]string
		}
	}
	if err := c.JSON(http.MethodPost, "/admin/import/media/direct", file, &begun); err != nil {
		return err
	}
	req, err := http.NewRequest(begun.Upload.Method, begun.Upload.URL, content)
	if err != nil {
		return err
	}
	req.ContentLength = file.Size
	for name, value := range begun.Upload.Headers {
		req.Header.Set(name, value)
	}
	resp, err := (&http.Client{Timeout: folder.DownloadTimeout}).Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("the upload of %s was answered with %s", file.ID, resp.Status)
	}
	return c.JSON(http.MethodPost, "/admin/media/direct/"+file.ID+"/complete", struct{}{}, nil)
}
