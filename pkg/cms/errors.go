package cms

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Code is a machine-readable error code of the API (specification §7, decisions §1).
type Code string

// The error codes. Only the HTTP edge knows their status.
const (
	CodeBadRequest      Code = "BAD_REQUEST"
	CodeQueryNotIndexed Code = "QUERY_NOT_INDEXED"
	CodeUnauthorized    Code = "UNAUTHORIZED"
	CodeForbidden       Code = "FORBIDDEN"
	// 400 for a program that waits to be signed in (RFC 8628 §3.5, extensions §17).
	CodeAuthorizationPending Code = "AUTHORIZATION_PENDING"
	CodeSlowDown             Code = "SLOW_DOWN"
	CodeAccessDenied         Code = "ACCESS_DENIED"
	CodeExpiredToken         Code = "EXPIRED_TOKEN"
	// 403 for users who signed in without the second factor that their role requires.
	CodeTOTPRequired Code = "TOTP_REQUIRED"
	// The user must confirm their identity again.
	CodeConfirmationRequired Code = "CONFIRMATION_REQUIRED"
	CodeOriginNotAllowed     Code = "ORIGIN_NOT_ALLOWED"
	CodeNotFound             Code = "NOT_FOUND"
	CodeModelNotFound        Code = "MODEL_NOT_FOUND"
	CodeEntryNotFound        Code = "ENTRY_NOT_FOUND"
	CodeFileNotFound         Code = "FILE_NOT_FOUND"
	CodeFormNotFound         Code = "FORM_NOT_FOUND"
	CodeMethodNotAllowed     Code = "METHOD_NOT_ALLOWED"
	CodeConflict             Code = "CONFLICT"
	CodeSlugConflict         Code = "SLUG_CONFLICT"
	CodeFormInactive         Code = "FORM_INACTIVE"
	CodeInUse                Code = "IN_USE"
	CodeApprovalRequired     Code = "APPROVAL_REQUIRED" // extensions §14
	CodePreconditionFailed   Code = "PRECONDITION_FAILED"
	CodePayloadTooLarge      Code = "PAYLOAD_TOO_LARGE"
	CodeFileTooLarge         Code = "FILE_TOO_LARGE"
	CodeUnsupportedMedia     Code = "UNSUPPORTED_MEDIA_TYPE"
	CodeValidationFailed     Code = "VALIDATION_FAILED"
	CodeSyncExpired          Code = "SYNC_EXPIRED" // extensions §8
	CodeRateLimited          Code = "RATE_LIMITED"
	CodeInternal             Code = "INTERNAL_ERROR"
	CodeUnavailable          Code = "SERVICE_UNAVAILABLE"
)

// Error is a failure whose message is safe to show to a client.
type Error struct {
	Code       Code
	Message    string
	Details    Problems      // for CodeValidationFailed: field path to messages; for CodeApprovalRequired: review
	Objects    any           // for CodeInUse, where the thing is used; the "details" of the response (extensions §6)
	RetryAfter time.Duration // for CodeRateLimited and CodeUnavailable
	Limit      int64         // for CodeRateLimited: the limit that was exceeded
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Describe returns the message and the fields it is about, as one text of at most 1,000 characters.
func (e *Error) Describe() string {
	var b strings.Builder
	b.WriteString(e.Message)
	for _, path := range slices.Sorted(maps.Keys(e.Details)) {
		b.WriteString(" " + path + ": " + strings.Join(e.Details[path], ", ") + ".")
	}
	text := []rune(b.String())
	return string(text[:min(len(text), 1000)])
}

// Errorf makes an Error; the formatted message is shown to the client.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Problems collects validation messages by dotted field path, such as "data.blocks.0.heading".
type Problems map[string][]string

// MaxProblems bounds the size of a response: a body of 1 MiB can have a hundred thousand mistakes.
const MaxProblems = 1000

// Add records one message about a path.
func (p Problems) Add(path, format string, args ...any) {
	p[path] = append(p[path], fmt.Sprintf(format, args...))
}

// Require adds a problem for an empty text, unless its path has one.
func (p Problems) Require(path, text string) {
	if text == "" && len(p[path]) == 0 {
		p.Add(path, "is required")
	}
}

// LimitLength adds a problem for a text of more than most characters.
func (p Problems) LimitLength(path, text string, most int) {
	if utf8.RuneCountInString(text) > most {
		p.Add(path, "must have at most %d characters", most)
	}
}

// Merge adds the problems of other at paths that have none yet.
func (p Problems) Merge(other Problems) {
	for path, messages := range other {
		if _, ok := p[path]; !ok {
			p[path] = messages
		}
	}
}

// Err returns nil if there are no problems, else a VALIDATION_FAILED error with all of them.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return &Error{Code: CodeValidationFailed, Message: "Some fields are missing or invalid.", Details: p}
}

// CodeOf returns the code of an error, "" if it has none.
func CodeOf(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return ""
}

// UnknownName returns BAD_REQUEST for a name in a list parameter (sort, filter, include or fields)
// that the list does not support (decisions §1).
func UnknownName(param, name string, known ...string) error {
	if len(known) == 0 {
		return Errorf(CodeBadRequest, "Unknown %s %q. This list has no %s.", param, Shorten(name), param)
	}
	return Errorf(CodeBadRequest, "Unknown %s %q. Known: %s.", param, Shorten(name), strings.Join(known, ", "))
}

// Shorten cuts a client's text to the length of a line, for use in a message.
func Shorten(s string) string {
	if r := []rune(s); len(r) > 100 {
		return string(r[:100]) + "…"
	}
	return s
}
