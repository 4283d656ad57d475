package client

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// transferTimeout is how long the transfer of a file may take.
const transferTimeout = 10 * time.Minute

// SendDirect sends content straight to the file store. path begins the upload with the description of the
// file, and id is that of the upload. The content of an upload that goes on may be there from an earlier call, whose
// answer was lost.
func (c *Client) SendDirect(path string, file any, content io.Reader, size int64) (id string, err error) {
	var begun struct {
		ID     string
		Upload struct {
			URL, Method string
			Headers     map[string]string
		}
	}
	if err := c.JSON(http.MethodPost, path, file, &begun); err != nil {
		return "", err
	}
	req, err := http.NewRequest(begun.Upload.Method, begun.Upload.URL, content)
	if err != nil {
		return "", err
	}
	req.ContentLength = size
	for name, value := range begun.Upload.Headers {
		req.Header.Set(name, value)
	}
	resp, err := (&http.Client{Timeout: transferTimeout}).Do(req)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err // without the address, which lets anyone write the file
	}
	if err != nil {
		return "", fmt.Errorf("the upload of %s: %w", begun.ID, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= http.StatusMultipleChoices && resp.StatusCode != http.StatusPreconditionFailed {
		return "", fmt.Errorf("the upload of %s was answered with %s", begun.ID, resp.Status)
	}
	return begun.ID, nil
}

// Text reads an answer that is no JSON. next is the path of the next part, "" after the last.
func (c *Client) Text(path string) (text []byte, next string, err error) {
	text, header, err := c.send(http.MethodGet, path, "", nil)
	next, _, _ = strings.Cut(strings.TrimPrefix(header.Get("Link"), "<"), ">")
	return text, next, err
}

// Open opens a file to send it, and returns its size.
func Open(path string) (content *os.File, size int64, err error) {
	if content, err = os.Open(path); err != nil {
		return nil, 0, err
	}
	info, err := content.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a folder", path)
	}
	if err != nil {
		content.Close()
		return nil, 0, err
	}
	return content, info.Size(), nil
}
