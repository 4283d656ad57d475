package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"runtime/debug"
	"strconv"

	"headless/pkg/blob"
	"headless/pkg/cms"
	"headless/pkg/table"
)

// statuses maps error codes to HTTP statuses (specification §7, decisions §1).
var statuses = map[cms.Code]int{
	cms.CodeBadRequest: 400, cms.CodeQueryNotIndexed: 400,
	cms.CodeAuthorizationPending: 400, cms.CodeSlowDown: 400, cms.CodeAccessDenied: 400, cms.CodeExpiredToken: 400,
	cms.CodeUnauthorized: 401,
	cms.CodeForbidden:    403, cms.CodeTOTPRequired: 401, cms.CodeConfirmationRequired: 403,
	cms.CodeOriginNotAllowed: 403,
	cms.CodeNotFound:         404, cms.CodeModelNotFound: 404, cms.CodeEntryNotFound: 404,
	cms.CodeFileNotFound: 404, cms.CodeFormNotFound: 404,
	cms.CodeMethodNotAllowed: 405, cms.CodeConflict: 409, cms.CodeInUse: 409, cms.CodeApprovalRequired: 409,
	cms.CodeSlugConflict: 409, cms.CodeFormInactive: 410, cms.CodePreconditionFailed: 412,
	cms.CodePayloadTooLarge: 413, cms.CodeFileTooLarge: 413, cms.CodeUnsupportedMedia: 415,
	cms.CodeValidationFailed: 422,
	cms.CodeSyncExpired:      410, cms.CodeRateLimited: 429, cms.CodeInternal: 500, cms.CodeUnavailable: 503,
}

// StatusOf returns the HTTP status of an error code.
func StatusOf(code cms.Code) int {
	if s, ok := statuses[code]; ok {
		return s
	}
	return http.StatusInternalServerError
}

type errorBody struct {
	Code    cms.Code `json:"code"`
	Message string   `json:"message"`
	Details any      `json:"details,omitempty"`
}

// Envelope encodes a response in the envelope of every route (specification §1).
func Envelope(data, meta any) ([]byte, error) {
	raw, ok := data.(json.RawMessage)
	if !ok {
		var err error
		if raw, err = cms.Marshal(data); err != nil {
			return nil, err
		}
	}
	m := []byte("{}")
	if meta != nil {
		var err error
		if m, err = cms.Marshal(meta); err != nil {
			return nil, err
		}
	}
	var buf bytes.Buffer
	buf.Grow(len(raw) + len(m) + 40)
	buf.WriteString(`{"data":`)
	buf.Write(raw)
	buf.WriteString(`,"meta":`)
	buf.Write(m)
	buf.WriteString(`,"error":null}`)
	return buf.Bytes(), nil
}

// MaxAnswer is the largest size of an answer before compression, in bytes (extensions §1).
const MaxAnswer = 16 << 20

// ErrAnswerTooLarge is the error for a larger answer.
var ErrAnswerTooLarge = &cms.Error{Code: cms.CodePayloadTooLarge, Message: "The answer is larger than 16 MB. " +
	"Ask for fewer items with per_page, for fewer keys with fields, or for less with include."}

// ErrorEnvelope encodes an error in the envelope.
func ErrorEnvelope(e *cms.Error) []byte {
	details := e.Objects
	if len(e.Details) > 0 {
		details = e.Details
	}
	body, err := cms.Marshal(struct {
		Data  *struct{} `json:"data"`
		Error errorBody `json:"error"`
	}{nil, errorBody{e.Code, e.Message, details}})
	if err != nil {
		return []byte(`{"data":null,"error":{"code":"INTERNAL_ERROR","message":"` + InternalMessage + `"}}`)
	}
	return body
}

// SetRetryAfter sets the headers for the time until a retry, in whole seconds of at least 1, and
// for the limit that was reached.
func SetRetryAfter(h http.Header, e *cms.Error) {
	if e.Code == cms.CodeRateLimited || e.Code == cms.CodeUnavailable {
		h.Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(e.RetryAfter.Seconds())))))
	}
	if e.Code == cms.CodeRateLimited {
		h.Set("X-RateLimit-Limit", strconv.FormatInt(e.Limit, 10))
		h.Set("X-RateLimit-Remaining", "0")
	}
}

// InternalMessage is the only text about a bug that a client sees.
const InternalMessage = "Something went wrong on our side. Please report the request id."

// ErrNothing is the error for an address that no route matches.
var ErrNothing = cms.Errorf(cms.CodeNotFound, "There is nothing at this address.")

var errUnavailable = &cms.Error{Code: cms.CodeUnavailable,
	Message: "Storage is temporarily unavailable. Try again in a moment."}

// Recover converts a panic of a handler, which is a bug, to an error. Defer it with a pointer to
// the handler's error.
func Recover(log *slog.Logger, requestID, route string, err *error) {
	if p := recover(); p != nil {
		log.Error("panic", "request_id", requestID, "panic", p, "route", route, "stack", string(debug.Stack()))
		*err = cms.Errorf(cms.CodeInternal, "%s", InternalMessage)
	}
}

// Safe converts any error to one that clients may see, and logs the others.
func Safe(log *slog.Logger, requestID string, err error) *cms.Error {
	var e *cms.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled): // the client has left
		return errUnavailable
	case errors.Is(err, table.ErrUnavailable), errors.Is(err, blob.ErrUnavailable),
		errors.Is(err, context.DeadlineExceeded):
		log.Warn("store unavailable", "request_id", requestID, "error", err.Error())
		return errUnavailable
	default:
		log.Error("internal error", "request_id", requestID, "error", err.Error())
		return cms.Errorf(cms.CodeInternal, "%s", InternalMessage)
	}
}
