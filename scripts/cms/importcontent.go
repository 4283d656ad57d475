package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sync/errgroup"
)

// uploads is how many files are sent at a time: each waits for the service and its store.
const uploads = 8

// sendContents uploads the bytes of the files that the service does not have, and adds their ids to
// uploaded.
func sendContents(c *client, dir string, lines []byte, uploaded map[string]bool) error {
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

// sendContent uploads the bytes of a file that the service does not have; id is "" for others.
func sendContent(c *client, dir string, line []byte) (id string, err error) {
	var file struct{ ID, Name, Alt, Caption, SHA256 string }
	if err := json.Unmarshal(line, &file); err != nil {
		return "", err
	}
	if _, err := c.send(http.MethodGet, "/admin/media/"+url.PathEscape(file.ID), "", nil); err == nil {
		return "", nil
	}
	content, err := os.ReadFile(filepath.Join(dir, "files", filepath.Base(file.SHA256)))
	if err != nil {
		return "", err
	}
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for key, v := range map[string]string{"id": file.ID, "sha256": file.SHA256, "alt": file.Alt,
		"caption": file.Caption} {
		if err := w.WriteField(key, v); err != nil {
			return "", err
		}
	}
	part, err := w.CreateFormFile("file", file.Name)
	if err == nil {
		_, err = part.Write(content)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return "", err
	}
	_, err = c.send(http.MethodPost, "/admin/import/media", w.FormDataContentType(), body.Bytes())
	var refused *apiError
	if errors.As(err, &refused) {
		fmt.Fprintf(os.Stderr, "media %s: %s\n", file.ID, refused)
		return "", nil // its line is reported as not taken
	}
	if err != nil {
		return "", err
	}
	return file.ID, nil
}
