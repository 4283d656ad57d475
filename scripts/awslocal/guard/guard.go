// Package guard stands before DynamoDB Local, which lets everybody do everything, and refuses what
// the policies of a function do not allow.
//
// A function calls an address of its own, so that the guard knows who asks. It understands as much
// of IAM as the template uses, and fails on the rest.
package guard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"

	"headless/scripts/internal/template"
)

// Guard forwards the requests that policies allow.
type Guard struct {
	// Before, where it is not nil, is called before each request that is allowed. It may wait;
	// where it returns true, the request is throttled. Set it before the first request.
	Before func(function, operation string) (throttled bool)
	// Meter, where it is not nil, counts the units of the requests that are allowed. Set it before
	// the first request.
	Meter *Meter

	policies map[string][]template.Statement // by function
	tables   map[string]string               // ARNs by name
	next     http.Handler

	mu      sync.Mutex
	refused map[string]bool
}

// New returns a guard before the DynamoDB at target. Policies holds the statements of each
// function, tables the ARN of each table by its name.
func New(target string, policies map[string][]template.Statement, tables map[string]string) (*Guard, error) {
	u, err := url.Parse(target)
	if err != nil {
		return nil, err
	}
	for _, statements := range policies {
		for _, s := range statements {
			if err := understood(s); err != nil {
				return nil, err
			}
		}
	}
	next := httputil.NewSingleHostReverseProxy(u)
	next.ErrorLog = log.New(io.Discard, "", 0) // functions give up requests that they need no longer
	return &Guard{policies: policies, tables: tables, next: next, refused: map[string]bool{}}, nil
}

// Refused says which requests were refused, a line for each kind.
func (g *Guard) Refused() (lines []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for line := range g.refused {
		lines = append(lines, line)
	}
	return lines
}

// ServeHTTP takes requests at /<function>/.
func (g *Guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	function, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	accesses, err := accesses(operation, body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	for _, a := range accesses {
		if !allowed(g.policies[function], a, g.tables[a.table]) {
			g.refuse(w, function, a)
			return
		}
	}
	if g.Before != nil && g.Before(function, operation) {
		throttle(w, operation, len(accesses))
		return
	}
	r.URL.Path, r.Body = "/", io.NopCloser(bytes.NewReader(body))
	if g.Meter != nil {
		g.Meter.measure(w, r, operation, body, g.next)
		return
	}
	g.next.ServeHTTP(w, r)
}

// refuse answers as DynamoDB does.
func (g *Guard) refuse(w http.ResponseWriter, function string, a access) {
	message := fmt.Sprintf("%s is not authorized to perform: dynamodb:%s on keys %q", function,
		a.action, a.keys)
	g.mu.Lock()
	g.refused[fmt.Sprintf("%s: %s on %s", function, a.action, strings.Join(kinds(a.keys), ", "))] = true
	g.mu.Unlock()
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.WriteHeader(http.StatusBadRequest)
	json.NewEncoder(w).Encode(map[string]string{"__type": "com.amazon.coral.service#AccessDeniedException",
		"message": message})
}

// throttle answers as DynamoDB does at a limit: a transaction names a reason for each operation.
func throttle(w http.ResponseWriter, operation string, operations int) {
	answer := map[string]any{"__type": "com.amazonaws.dynamodb.v20120810#ThrottlingException",
		"message": "Throughput exceeds the current capacity of your table"}
	if strings.HasPrefix(operation, "Transact") {
		reasons := make([]map[string]string, operations)
		for i := range reasons {
			reasons[i] = map[string]string{"Code": "ThrottlingError"}
		}
		answer = map[string]any{
			"__type":  "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
			"Message": "Transaction cancelled", "CancellationReasons": reasons,
		}
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.WriteHeader(http.StatusBadRequest)
	json.NewEncoder(w).Encode(answer)
}
