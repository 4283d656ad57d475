package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"

	"headless/pkg/web"
)

// Codes of errors of JSON-RPC 2.0.
const (
	codeNoJSON    = -32700
	codeInvalid   = -32600
	codeNoMethod  = -32601
	codeBadParams = -32602
)

// faults collects the answer of the transport. Its method send sends it, with the errors of JSON-RPC in place of the
// plain text with which the transport refuses a message.
type faults struct {
	http.ResponseWriter
	request http.Header
	message struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	noJSON   bool // the body of the request
	messages int  // in a batch
	status   int
	body     bytes.Buffer
}

// readFaults returns the writer of the answer to r, whose body can be read again.
func readFaults(w http.ResponseWriter, r *http.Request) *faults {
	f := &faults{ResponseWriter: w, request: r.Header, status: http.StatusOK}
	start, _ := io.ReadAll(io.LimitReader(r.Body, maxRequest+1)) // a failure comes again from the rest
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(start), r.Body))
	f.noJSON = !json.Valid(start)
	var batch []json.RawMessage
	_ = json.Unmarshal(start, &batch)
	f.messages = len(batch)
	_ = json.Unmarshal(start, &f.message) // a batch, or no message at all, has neither id nor method
	return f
}

// unclear reports whether the body is an object that is neither a request, a notification nor an answer. The transport
// takes it for an answer.
func (f *faults) unclear() bool {
	m := f.message
	return !f.noJSON && f.messages == 0 && m.Method == "" && m.Result == nil && m.Error == nil
}

// WriteHeader keeps the status for send.
func (f *faults) WriteHeader(status int) { f.status = status }

// Write keeps a part of the body for send.
func (f *faults) Write(text []byte) (int, error) { return f.body.Write(text) }

// wrongShape matches how the transport refuses params: in words of Go, after the method, and some with the code 0.
// wrongField matches the end of such an error that names a field.
var (
	wrongShape = regexp.MustCompile(`"code":(?:0|-32602|-32600),"message":"handling '([^']*)': ` +
		`(?:invalid \w+: )?(?:unmarshaling|missing required) (?:[^"\\]|\\.)*"`)
	wrongField = regexp.MustCompile(`.*Go struct field \w+\.\w+\.([\w.]+) of type [^"]*"$`)
)

// sayWrongShape returns the error in words of the protocol.
func sayWrongShape(refusal []byte) []byte {
	said := wrongShape.ReplaceAll(refusal, []byte("The params of $1 must be an object as the protocol describes it."))
	if field := wrongField.FindSubmatch(refusal); field != nil {
		said = append(said, " It has another type at "+string(field[1])+"."...)
	}
	return fmt.Appendf(nil, `"code":%d,"message":"%s"`, codeBadParams, said)
}

// send sends the answer, compressed if the client accepts that.
func (f *faults) send() {
	body, h := f.body.Bytes(), f.Header()
	if f.status >= http.StatusBadRequest && strings.HasPrefix(h.Get("Content-Type"), "text/plain") {
		body = f.inWords(strings.TrimSpace(f.body.String()))
	} else {
		body = wrongShape.ReplaceAllFunc(body, sayWrongShape)
	}
	h.Del("Content-Length")
	if len(body) > 0 {
		body = web.Compressed(f.request, h, h.Get("Content-Type"), body)
	}
	f.ResponseWriter.WriteHeader(f.status)
	_, _ = f.ResponseWriter.Write(body) // fails only if the client has disconnected
}

// inWords returns the error of JSON-RPC for a plain text, and sets its status. A notification has no answer.
func (f *faults) inWords(said string) []byte {
	code, id := codeInvalid, f.message.ID
	unknown := strings.HasPrefix(said, "JSON RPC not handled")
	switch {
	case f.status != http.StatusBadRequest:
	case f.noJSON:
		code, said, id = codeNoJSON, "The body is not JSON.", nil
	case strings.HasPrefix(said, "malformed payload"):
		said, id = "The body is not a message of JSON-RPC 2.0 with jsonrpc, id, method and params.", nil
	case unknown && len(id) == 0:
		f.Header().Del("Content-Type")
		f.status = http.StatusAccepted
		return nil
	case unknown:
		f.status, code, said = http.StatusOK, codeNoMethod, "There is no method "+f.message.Method+"."
	case strings.Contains(said, `"params"`):
		f.status, code = http.StatusOK, codeBadParams
	}
	f.Header().Set("Content-Type", "application/json")
	body, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, // plain values always encode
		"error": map[string]any{"code": code, "message": said}})
	return body
}
