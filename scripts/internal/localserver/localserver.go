// Package localserver runs the whole service on localhost on the embedded engines: make dev and cms
// dev.
package localserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"time"

	"headless/pkg/app"
	"headless/pkg/app/embedded"
	"headless/pkg/app/setup"
)

const maxHeader = 64 << 10 // bytes of a request's header

// newServer returns the server of a handler. It closes slow connections: it has timeouts for
// headers and idle connections, the handler limits the time for bodies, and the listener that for answers.
func newServer(h http.Handler, conns *connections) *http.Server {
	return &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: maxHeader, ConnState: conns.change}
}

// isLocal reports whether a URL leads to this machine, so that only its own users reach the server.
func isLocal(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback() || host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// check names a variable whose value could not be used, and would not be missed until then.
func check(cfg app.Config) error {
	for _, v := range []struct {
		name      string
		addresses []string
	}{
		{"SITE_URL", []string{cfg.SiteURL}}, // before the next one, which begins with it unless it is set
		{"MEDIA_BASE_URL", []string{cfg.MediaBaseURL}}, {"MEDIA_BASE_URL_FORMER", cfg.MediaFormerURLs},
		{"RECAPTCHA_VERIFY_URL", []string{cfg.RecaptchaVerifyURL}},
	} {
		for _, address := range v.addresses {
			if u, err := url.Parse(address); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
				return fmt.Errorf("%s: must be an address such as https://cms.example.com, not %q", v.name, address)
			}
		}
	}
	for _, mime := range cfg.UploadMimes {
		if group, kind, _ := strings.Cut(mime, "/"); group == "" || kind == "" {
			return fmt.Errorf("UPLOAD_MIMES: must be types such as image/png or image/*, not %q", mime)
		}
	}
	return nil
}

// Begin is called once the server answers at siteURL, and before it says that it is ready.
type Begin func(siteURL string, first setup.FirstUser)

// Run serves until ctx ends. getenv returns the variables of the configuration; begin may be nil.
func Run(ctx context.Context, getenv func(string) string, stdout io.Writer, begin Begin) error {
	cfg, err := app.FromEnv(getenv)
	if err != nil {
		return err
	}
	if err := cfg.ReadProvider(getenv); err != nil {
		return err
	}
	if err := check(cfg); err != nil {
		return err
	}
	host := cmp.Or(getenv("LISTEN_ADDRESS"), "127.0.0.1")
	if getenv("WEBHOOK_ALLOW_INSECURE") == "" {
		cfg.WebhookAllowInsecure = isLocal(cfg.SiteURL) && isLocal("http://"+net.JoinHostPort(host, cfg.Port))
	}
	if getenv("LOG_LEVEL") == "" {
		cfg.LogLevel = 4 // warnings: the terminal belongs to the developer
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, cfg.Port))
	if err != nil {
		return fmt.Errorf("%w: set PORT to another one, or LISTEN_ADDRESS to an address of "+"this machine", err)
	}
	server, err := embedded.New(cfg, cfg.Logger())
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() {
		if err := server.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "closing:", err)
		}
	}()
	hs := newServer(server, newConnections(cfg.MaxConnections, cfg.MaxFromOneAddress, cfg.Proxies.Trusts))
	failed := make(chan error, 1)
	go func() { failed <- hs.Serve(envelopes{listener, answerTime}) }()
	if begin != nil {
		begin(cfg.SiteURL, server.Made.First)
	}
	server.Made.Greet(stdout, cfg.SiteURL)

	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if err := hs.Shutdown(grace); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}
