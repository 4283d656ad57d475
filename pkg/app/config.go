// Package app has the configuration. Its subpackages wire the packages into the embedded server and
// the functions.
package app

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"headless/pkg/oidc"
	"headless/pkg/web"
)

// Config is the configuration from the environment. The README has a table of the variables.
type Config struct {
	Port          string // PORT
	DataDir       string // DATA_DIR
	Seed          string // SEED: demo or none
	AdminEmail    string // ADMIN_EMAIL
	AdminPassword string // ADMIN_PASSWORD; empty: generated and printed
	SiteURL       string // SITE_URL: root URL of the service, without a slash at the end
	MediaBaseURL  string // MEDIA_BASE_URL: URL below which stored files are served
	// MEDIA_BASE_URL_FORMER, comma-separated: URLs below which stored files were served before.
	MediaFormerURLs []string

	UploadMaxBytes       int64    // UPLOAD_MAX_BYTES
	UploadDirectMaxBytes int64    // UPLOAD_DIRECT_MAX_BYTES
	UploadMimes          []string // UPLOAD_MIMES, comma-separated; empty: the default allowlist

	// WEBHOOK_ALLOW_INSECURE allows http, any port and loopback, for local use.
	WebhookAllowInsecure bool
	// UPLOAD_FROM_URL_ALLOW: IP addresses with ports in any range, such as 127.0.0.1:8000, from which
	// files are uploaded by address. For tests.
	UploadFromURLAllow   []netip.AddrPort
	WebhookRetrySchedule []time.Duration // WEBHOOK_RETRY_SCHEDULE; empty: the default schedule
	// OWN_HOSTS, comma-separated: further host names of the service, which no webhook may call.
	OwnHosts []string

	MailFrom           string // MAIL_FROM
	RecaptchaVerifyURL string // RECAPTCHA_VERIFY_URL

	MaxConnections    int // MAX_CONNECTIONS: maximum connections of the embedded server
	MaxFromOneAddress int // MAX_CONNECTIONS_PER_ADDRESS: maximum from one address, except TRUSTED_PROXIES

	// TRUSTED_PROXIES: networks; ORIGIN_VERIFY: the secrets of a CDN in front of the service. Both
	// are comma-separated.
	Proxies web.Proxies

	OIDC oidc.Config // OIDC_ISSUER and the other variables of sign-in by a provider, PASSWORD_LOGIN

	SessionTime time.Duration // SESSION_HOURS: how long a session lasts
	SessionIdle time.Duration // SESSION_IDLE_MINUTES: how long it lasts without a request; 0: as long as it lasts
	// ADMIN_NETWORKS, comma-separated: the networks that reach the admin area and agents' tools; empty:
	// all.
	AdminNetworks []netip.Prefix

	LogLevel     slog.Level // LOG_LEVEL
	ActivityDays int        // ACTIVITY_DAYS: how long the activity log is kept
}

// Defaults of the configuration.
const (
	defaultPort            = "3000"
	defaultUploadMax       = 4 << 20
	defaultUploadDirectMax = 512 << 20
	defaultConnections     = 4096
	defaultFromOneAddress  = 2048
	defaultActivityDays    = 365
	defaultSessionHours    = 12
	maxSessionHours        = 24 * 30
	maxIdleMinutes         = 60 * 24
	maxActivityDays        = 3660
	defaultRecaptchaURL    = "https://www.google.com/recaptcha/api/siteverify"
)

// Values of SEED.
const (
	SeedDemo = "demo"
	SeedNone = "none"
)

// FromEnv reads the configuration. An error names the wrong variable.
func FromEnv(getenv func(string) string) (Config, error) {
	or := func(name, fallback string) string {
		if v := getenv(name); v != "" {
			return v
		}
		return fallback
	}
	c := Config{
		Port: or("PORT", defaultPort), DataDir: or("DATA_DIR", ".data"), Seed: or("SEED", SeedDemo),
		AdminEmail: or("ADMIN_EMAIL", "admin@example.com"), AdminPassword: getenv("ADMIN_PASSWORD"),
		MailFrom:           or("MAIL_FROM", "cms@example.com"),
		RecaptchaVerifyURL: or("RECAPTCHA_VERIFY_URL", defaultRecaptchaURL),
	}
	c.SiteURL = strings.TrimSuffix(or("SITE_URL", "http://localhost:"+c.Port), "/")
	c.MediaBaseURL = strings.TrimSuffix(or("MEDIA_BASE_URL", c.SiteURL+"/media"), "/")
	for _, former := range splitList(getenv("MEDIA_BASE_URL_FORMER")) {
		c.MediaFormerURLs = append(c.MediaFormerURLs, strings.TrimRight(former, "/"))
	}
	c.UploadMimes, c.OwnHosts = splitList(getenv("UPLOAD_MIMES")), splitList(getenv("OWN_HOSTS"))
	var err error
	fail := func(name string, e error) {
		if e != nil && err == nil {
			err = fmt.Errorf("%s: %w", name, e)
		}
	}
	integer := func(name string, fallback int64) int64 {
		n, e := strconv.ParseInt(or(name, strconv.FormatInt(fallback, 10)), 10, 64)
		fail(name, e)
		return n
	}
	if port, e := strconv.ParseUint(c.Port, 10, 16); e != nil || port == 0 {
		fail("PORT", fmt.Errorf("must be 1 to 65535, not %q", c.Port))
	}
	if c.Seed != SeedDemo && c.Seed != SeedNone {
		fail("SEED", fmt.Errorf("must be %s or %s, not %q", SeedDemo, SeedNone, c.Seed))
	}
	c.UploadMaxBytes = integer("UPLOAD_MAX_BYTES", defaultUploadMax)
	c.UploadDirectMaxBytes = integer("UPLOAD_DIRECT_MAX_BYTES", defaultUploadDirectMax)
	positive := func(name string, fallback int64) int {
		n := integer(name, fallback)
		if n < 1 {
			fail(name, errors.New("must be 1 or more"))
		}
		return int(n)
	}
	c.MaxConnections = positive("MAX_CONNECTIONS", defaultConnections)
	c.MaxFromOneAddress = positive("MAX_CONNECTIONS_PER_ADDRESS", defaultFromOneAddress)
	c.ActivityDays = int(integer("ACTIVITY_DAYS", defaultActivityDays))
	if c.ActivityDays < 1 || c.ActivityDays > maxActivityDays {
		fail("ACTIVITY_DAYS", fmt.Errorf("must be 1 to %d", maxActivityDays))
	}
	c.SessionTime = time.Duration(positive("SESSION_HOURS", defaultSessionHours)) * time.Hour
	if c.SessionTime > maxSessionHours*time.Hour {
		fail("SESSION_HOURS", fmt.Errorf("must be 1 to %d", maxSessionHours))
	}
	idle := integer("SESSION_IDLE_MINUTES", 0)
	if c.SessionIdle = time.Duration(idle) * time.Minute; idle < 0 || idle > maxIdleMinutes {
		fail("SESSION_IDLE_MINUTES", fmt.Errorf("must be 0 to %d", maxIdleMinutes))
	}
	var e error
	c.AdminNetworks, e = web.ParseProxies(getenv("ADMIN_NETWORKS"))
	fail("ADMIN_NETWORKS", e)
	c.WebhookAllowInsecure, e = strconv.ParseBool(or("WEBHOOK_ALLOW_INSECURE", "false"))
	fail("WEBHOOK_ALLOW_INSECURE", e)
	for _, word := range splitList(getenv("UPLOAD_FROM_URL_ALLOW")) {
		allowed, e := netip.ParseAddrPort(word)
		fail("UPLOAD_FROM_URL_ALLOW", e)
		c.UploadFromURLAllow = append(c.UploadFromURLAllow, allowed)
	}
	c.Proxies.Trusted, e = web.ParseProxies(getenv("TRUSTED_PROXIES"))
	fail("TRUSTED_PROXIES", e)
	if c.Proxies.Secrets = splitList(getenv("ORIGIN_VERIFY")); len(c.Proxies.Secrets) > 0 {
		u, e := url.Parse(c.SiteURL)
		fail("SITE_URL", e)
		if e == nil {
			c.Proxies.Host = u.Host
		}
	}
	if c.OIDC, e = oidc.FromEnv(getenv); e != nil && err == nil {
		err = e
	}
	fail("LOG_LEVEL", c.LogLevel.UnmarshalText([]byte(or("LOG_LEVEL", "info"))))
	if v := getenv("WEBHOOK_RETRY_SCHEDULE"); v != "" {
		for _, step := range strings.Split(v, ",") {
			d, e := time.ParseDuration(strings.TrimSpace(step))
			fail("WEBHOOK_RETRY_SCHEDULE", e)
			c.WebhookRetrySchedule = append(c.WebhookRetrySchedule, d)
		}
	}
	return c, err
}

// Logger writes structured lines to standard error.
func (c Config) Logger() *slog.Logger {
	return slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: c.LogLevel}))
}

// splitList splits a list at its commas; nil if it is empty.
func splitList(list string) (all []string) {
	for word := range strings.SplitSeq(list, ",") {
		if word = strings.TrimSpace(word); word != "" {
			all = append(all, word)
		}
	}
	return all
}
