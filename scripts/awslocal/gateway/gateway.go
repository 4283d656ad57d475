package gateway

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"headless/scripts/awslocal/runtime"
)

// The limits of an HTTP API.
const (
	maxBody  = 10 * 1024 * 1024 // bytes of a request's body
	maxEvent = 6 * 1024 * 1024  // bytes of an event, including base64
	timeout  = 30 * time.Second
)

// Invoke calls a function by its logical id.
type Invoke func(ctx context.Context, function string, payload []byte) ([]byte, error)

// Gateway is the HTTP API.
type Gateway struct {
	Routes Routes
	Invoke Invoke
	Log    *slog.Logger
}

// AccessMessage is the message of a line of the access log. It has some of the fields that the
// template's AccessLogSettings name.
const AccessMessage = "access"

// ServeHTTP sends a request to the function of its route, and logs the request.
func (g Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id, began := rand.Text()[:16]+"=", time.Now()
	w.Header().Set("Apigw-Requestid", id)
	route, variables, ok := g.Routes.Match(r.Method, r.URL.Path)
	answer := &recorded{ResponseWriter: w, status: http.StatusOK}
	g.serve(answer, r, id, route, variables, ok)
	g.Log.Info(AccessMessage, "request_id", id, "method", r.Method, "route", route.Path,
		"status", answer.status, "latency_ms", float64(time.Since(began).Microseconds())/1000)
}

// recorded records the status of a response.
type recorded struct {
	http.ResponseWriter
	status int
}

func (r *recorded) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

func (g Gateway) serve(w http.ResponseWriter, r *http.Request, id string, route Route,
	variables map[string]string, ok bool) {
	if !ok {
		message(w, http.StatusNotFound, "Not Found")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		message(w, http.StatusRequestEntityTooLarge, "Request Entity Too Large")
		return
	}
	payload, err := json.Marshal(event(r, body, route, variables, id, time.Now()))
	if err != nil || len(payload) > maxEvent {
		message(w, http.StatusRequestEntityTooLarge, "Request Entity Too Large")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	defer cancel()
	answer, err := g.Invoke(ctx, route.Function, payload)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		g.Log.Error("the function timed out", "function", route.Function, "path", r.URL.Path)
		message(w, http.StatusServiceUnavailable, "Service Unavailable")
	case errors.Is(err, runtime.ErrThrottled):
		g.Log.Error("function throttled", "function", route.Function, "path", r.URL.Path)
		message(w, http.StatusServiceUnavailable, "Service Unavailable")
	case err != nil:
		g.Log.Error("function failed", "function", route.Function, "path", r.URL.Path, "error", err.Error())
		message(w, http.StatusInternalServerError, "Internal Server Error")
	default:
		if err := write(w, r, answer); err != nil {
			g.Log.Error("the response is malformed", "function", route.Function, "path", r.URL.Path,
				"error", err.Error())
			message(w, http.StatusInternalServerError, "Internal Server Error")
		}
	}
}

// write converts the response of a function to HTTP. If it returns an error, nothing has been
// written.
func write(w http.ResponseWriter, r *http.Request, answer []byte) error {
	var a events.APIGatewayV2HTTPResponse
	if err := json.Unmarshal(answer, &a); err != nil {
		return err
	}
	if a.StatusCode < 200 || a.StatusCode > 599 {
		return errors.New("no status")
	}
	body := []byte(a.Body)
	if a.IsBase64Encoded {
		var err error
		if body, err = base64.StdEncoding.DecodeString(a.Body); err != nil {
			return err
		}
	}
	for name, value := range a.Headers {
		w.Header().Set(name, value)
	}
	for _, cookie := range a.Cookies {
		w.Header().Add("Set-Cookie", cookie)
	}
	w.WriteHeader(a.StatusCode)
	if r.Method != http.MethodHead && a.StatusCode != http.StatusNoContent &&
		a.StatusCode != http.StatusNotModified {
		w.Write(body)
	}
	return nil
}

// message writes a response of API Gateway itself.
func message(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]string{"message": text})
}
