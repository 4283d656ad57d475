// Package guard is a proxy in front of DynamoDB Local, which has no permissions. It refuses
// requests that the policies of a function do not allow.
//
// Each function has its own URL, so that the guard knows which function sends a request. It
// supports the parts of IAM that the template uses, and fails on others.
package guard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"

	"headless/scripts/internal/template"
)

// Guard forwards the requests that policies allow.
type Guard struct {
	// Before, if not nil, is called before each allowed request. It may wait; if it returns true,
	// the request is throttled. Set it before the first request.
	Before func(function, operation string) (throttled bool)
	// Measure, if not nil, forwards the allowed requests to next and counts them. Set it before the first request.
	Measure func(w http.ResponseWriter, r *http.Request, operation string, body []byte, next http.Handler)

	policies map[string][]template.Statement // by function
	tables   map[string]string               // ARNs by name
	next     http.Handler

	mu      sync.Mutex
	refused map[string]bool
}

// New returns a guard in front of the DynamoDB at target. policies has the statements of each
// function, and tables the ARN of each table by its name.
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
	// The transport keeps two connections to a host by default, and many functions share this one.
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = transport.MaxIdleConns
	next.Transport = transport
	next.ErrorLog = log.New(io.Discard, "", 0) // functions cancel requests that they no longer need
	return &Guard{policies: policies, tables: tables, next: next, refused: map[string]bool{}}, nil
}

// Refused returns the kinds of refused requests, one per line.
func (g *Guard) Refused() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Collect(maps.Keys(g.refused))
}

// ServeHTTP serves requests at /<function>/.
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
		if !isAllowed(g.policies[function], a, g.tables[a.table]) {
			g.refuse(w, function, a)
			return
		}
	}
	if g.Before != nil && g.Before(function, operation) {
		throttle(w, operation, len(accesses))
		return
	}
	r.URL.Path, r.Body = "/", io.NopCloser(bytes.NewReader(body))
	if g.Measure != nil {
		g.Measure(w, r, operation, body, g.next)
		return
	}
	g.next.ServeHTTP(w, r)
}

// refuse responds like DynamoDB to a request without permission.
func (g *Guard) refuse(w http.ResponseWriter, function string, a access) {
	message := fmt.Sprintf("%s is not authorized to perform: dynamodb:%s on keys %q", function, a.action, a.keys)
	g.mu.Lock()
	g.refused[fmt.Sprintf("%s: %s on %s", function, a.action, strings.Join(kinds(a.keys), ", "))] = true
	g.mu.Unlock()
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.WriteHeader(http.StatusBadRequest)
	json.NewEncoder(w).Encode(map[string]string{"__type": "com.amazon.coral.service#AccessDeniedException",
		"message": message})
}

// throttle responds like DynamoDB at a limit: for a transaction, it names a reason for each
// operation.
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
