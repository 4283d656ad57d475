package web

import (
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
)

// version is set by the linker (SERVICE_VERSION in functions/build.mk); "" if it is not set.
var version string

// Version returns the version of this build: what the linker was told, else that of the module,
// which Go takes from the repository; "devel" if neither is known, "" in tests.
func Version() string {
	if version != "" {
		return version
	}
	return moduleVersion()
}

var moduleVersion = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return strings.Trim(info.Main.Version, "()")
})

// Stamped adds the version, if it is known, to each response.
func Stamped(h http.Handler) http.Handler {
	v := Version()
	if v == "" {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Service-Version", v)
		h.ServeHTTP(w, r)
	})
}
