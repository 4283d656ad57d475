package web

import (
	"context"
	"net/http"
)

// FinishChanges lets a request that may change something run to its end after its client has
// disconnected, as on AWS, where a function never learns of it. A change that stopped between two
// steps would leave leases and claims behind that others wait for.
func FinishChanges(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodGet, http.MethodHead, http.MethodOptions:
		default:
			r = r.WithContext(context.WithoutCancel(r.Context()))
		}
		next.ServeHTTP(w, r)
	})
}
