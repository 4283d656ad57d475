package importing

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sync/errgroup"

	"headless/scripts/cms/client"
	"headless/scripts/cms/folder"
)

// uploads is the number of files sent at the same time. Each mostly waits for the service and its
// file store.
const uploads = 8

// sendContents uploads the bytes of the files that the service does not have or has with other
// bytes, and stores the results in o.contents by id.
func sendContents(c *client.Client, dir string, lines []byte, o Options) error {
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(uploads)
	for line := range bytes.Lines(lines) {
		group.Go(func() error {
			id, result, err := sendContent(c, dir, line, o)
			if result != "" {
				mu.Lock()
				o.contents[id] = result
				mu.Unlock()
			}
			return err
		})
	}
	return group.Wait()
}

// importedFile has the values of a line that the upload of a file needs.
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

// maxContent is the largest file that is sent in one request; larger ones go straight to the file
// store.
const maxContent = 4 << 20

// sendContent uploads the bytes of a file. result is "" if nothing had to be sent. A file that
// cannot be sent is named, and its line is later counted as failed.
func sendContent(c *client.Client, dir string, line []byte, o Options) (id, result string, err error) {
	var file importedFile
	if json.Unmarshal(line, &file) != nil || file.ID == "" {
		return "", "", nil
	}
	result, err = file.send(c, dir, o)
	var refused *client.Error
	var lost *fs.PathError
	if errors.As(err, &refused) || errors.As(err, &lost) {
		fmt.Fprintf(os.Stderr, "%s was not taken: %s\n", o.name("media", file.ID), err)
		return file.ID, ResultFailed, nil
	}
	return file.ID, result, err
}

// send uploads the bytes of the file in a folder unless the service has them.
func (f importedFile) send(c *client.Client, dir string, o Options) (result string, err error) {
	there, err := f.findStored(c)
	if err != nil || there != nil && f.SHA256 == "" || there == nil && o.DryRun {
		return "", err // the service says of a new one that it would be created
	}
	content, err := folder.Open(dir, filepath.Join("files", filepath.Base(f.SHA256)))
	if err != nil {
		return "", err
	}
	defer content.Close()
	info, err := content.Stat()
	if err != nil {
		return "", err
	}
	f.Size = info.Size()
	switch {
	case there != nil:
		return f.replace(c, content, there, o)
	case f.Size > maxContent && f.Mime != "":
		err = sendDirect(c, f, content)
	default:
		err = sendForm(c, http.MethodPost, "/admin/import/media", f, content)
	}
	if err != nil { // it may be there now, where an answer was lost and the repeat was refused
		if made, lookErr := f.findStored(c); lookErr == nil && made != nil {
			return ResultCreated, nil
		}
	}
	return ResultCreated, err
}

// sendForm uploads a file in one request.
func sendForm(c *client.Client, method, path string, file importedFile, content io.Reader) error {
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
	_, err = c.Send(method, path, w.FormDataContentType(), body.Bytes())
	return err
}

// sendDirect uploads a file straight to the file store.
func sendDirect(c *client.Client, file importedFile, content io.Reader) error {
	file.SHA256 = "" // the size is checked
	if _, err := c.SendDirect("/admin/import/media/direct", file, content, file.Size); err != nil {
		return err
	}
	return c.JSON(http.MethodPost, "/admin/media/direct/"+file.ID+"/complete", struct{}{}, nil)
}
