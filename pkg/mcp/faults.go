package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
)

// Codes of errors of JSON-RPC 2.0.
const (
	codeNoJSON    = -32700
	codeInvalid   = -32600
	codeNoMethod  = -32601
	codeBadParams = -32602
)

// faults writes the errors of JSON-RPC in place of the plain text with which the transport refuses a message.
type faults struct {
	http.ResponseWriter
	message struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	noJSON   bool // the body of the request
	messages int  // in a batch
	status   int  // of the plain text, 0 if the answer is not one
}

// readFaults returns the writer of the answer to r, whose body can be read again.
func readFaults(w http.ResponseWriter, r *http.Request) *faults {
	f := &faults{ResponseWriter: w}
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

// WriteHeader holds back the status of a plain text until its Write.
func (f *faults) WriteHeader(status int) {
	if status >= http.StatusBadRequest && strings.HasPrefix(f.Header().Get("Content-Type"), "text/plain") {
		f.status = status
		return
	}
	f.ResponseWriter.WriteHeader(status)
}

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

func (f *faults) Write(text []byte) (int, error) {
	if f.status == 0 {
		_, err := f.ResponseWriter.Write(wrongShape.ReplaceAllFunc(text, sayWrongShape))
		return len(text), err
	}
	status, code, said, id := f.status, codeInvalid, strings.TrimSpace(string(text)), f.message.ID
	unknown := strings.HasPrefix(said, "JSON RPC not handled")
	switch {
	case status != http.StatusBadRequest:
	case f.noJSON:
		code, said, id = codeNoJSON, "The body is not JSON.", nil
	case strings.HasPrefix(said, "malformed payload"):
		said, id = "The body is not a message of JSON-RPC 2.0 with jsonrpc, id, method and params.", nil
	case unknown && len(id) == 0: // notifications have no answer
		f.Header().Del("Content-Type")
		f.ResponseWriter.WriteHeader(http.StatusAccepted)
		return len(text), nil
	case unknown:
		status, code, said = http.StatusOK, codeNoMethod, "There is no method "+f.message.Method+"."
	case strings.Contains(said, `"params"`):
		status, code = http.StatusOK, codeBadParams
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id,
		"error": map[string]any{"code": code, "message": said}})
	if err != nil {
		return 0, err
	}
	f.Header().Set("Content-Type", "application/json")
	f.ResponseWriter.WriteHeader(status)
	_, err = f.ResponseWriter.Write(body)
	return len(text), err
}
