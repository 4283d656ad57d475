package mcp

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/http"

	"headless/pkg/cms"
)

// localFiles tells what to do with files that have no address.
const localFiles = "For a file on your disk use cms files put PATH --alt TEXT, " +
	"or POST /api/v1/upload (multipart: file, alt)."

// upload downloads a file from a URL and uploads it through the API. It sends no request for a caller who may not
// upload files.
func (s *session) upload(ctx context.Context, args map[string]any) ([]byte, error) {
	permitted := cms.PermissionsOf(s.call.Context())
	for _, action := range []cms.Action{cms.ActionWrite, cms.ActionPublish} {
		if err := permitted.Check(action, cms.AreaMedia, "", "file"); err != nil {
			return nil, &refusal{string(s.call.ErrorJSON(err))}
		}
	}
	address, _ := args["url"].(string)
	content, err := s.h.Fetch(ctx, address, s.h.MaxFile)
	if err != nil {
		return nil, fmt.Errorf("the file was not read. %w %s", err, localFiles)
	}
	contentType, body, err := uploadBody(args, content)
	if err != nil {
		return nil, err
	}
	return s.do(ctx, http.MethodPost, "/upload", contentType, body)
}

// uploadBody returns the multipart body of an upload with the texts of arguments, and its type.
func uploadBody(args map[string]any, content []byte) (contentType string, body []byte, err error) {
	texts := map[string]string{}
	texts["alt"], _ = args["alt"].(string)
	if args["alts"] != nil {
		alts, err := cms.Marshal(args["alts"])
		if err != nil {
			return "", nil, err
		}
		texts["alts"] = string(alts)
	}
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, text := range texts {
		if err := w.WriteField(name, text); err != nil {
			return "", nil, err
		}
	}
	name, _ := args["name"].(string)
	part, err := w.CreateFormFile("file", name)
	if err != nil {
		return "", nil, err
	}
	if _, err := part.Write(content); err != nil {
		return "", nil, err
	}
	err = w.Close()
	return w.FormDataContentType(), b.Bytes(), err
}
