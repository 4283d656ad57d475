// Package app has the configuration. Its subpackages wire the packages into the embedded server and
// the functions.
package app

import (
	"log/slog"
	"math"
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
	// PasswordMemory is the memory of the hash of a password in KiB; 0: the recommended. Only tests set it: they sign in
	// hundreds of times.
	PasswordMemory uint32
	SiteURL        string // SITE_URL: root URL of the service, without a slash at the end
	MediaBaseURL   string // MEDIA_BASE_URL: URL below which stored files are served
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

	OIDC oidc.Config // OIDC_ISSUER and the other variables of sign-in by a provider, PASSWORD_LOGIN; see ReadProvider

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
	defaultPort            = 3000
	defaultUploadMax       = 4 << 20
	defaultUploadDirectMax = 512 << 20
	largestUpload          = 5 << 30 // what S3 takes in one request
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
	e := environment{get: getenv}
	c := Config{
		Port:    strconv.FormatInt(e.number("PORT", defaultPort, 1, math.MaxUint16), 10),
		DataDir: e.text("DATA_DIR", ".data"), Seed: e.text("SEED", SeedDemo),
		AdminEmail: e.text("ADMIN_EMAIL", "admin@example.com"), AdminPassword: e.text("ADMIN_PASSWORD", ""),

		UploadMaxBytes:       e.number("UPLOAD_MAX_BYTES", defaultUploadMax, 0, largestUpload),
		UploadDirectMaxBytes: e.number("UPLOAD_DIRECT_MAX_BYTES", defaultUploadDirectMax, 0, largestUpload),
		UploadMimes:          e.list("UPLOAD_MIMES"),
		OwnHosts:             e.list("OWN_HOSTS"),
		MailFrom:             e.text("MAIL_FROM", "cms@example.com"),
		RecaptchaVerifyURL:   e.text("RECAPTCHA_VERIFY_URL", defaultRecaptchaURL),

		MaxConnections:    int(e.number("MAX_CONNECTIONS", defaultConnections, 1, math.MaxInt32)),
		MaxFromOneAddress: int(e.number("MAX_CONNECTIONS_PER_ADDRESS", defaultFromOneAddress, 1, math.MaxInt32)),
		Proxies:           web.Proxies{Trusted: e.networks("TRUSTED_PROXIES"), Secrets: e.list("ORIGIN_VERIFY")},
		AdminNetworks:     e.networks("ADMIN_NETWORKS"),

		SessionTime:  time.Duration(e.number("SESSION_HOURS", defaultSessionHours, 1, maxSessionHours)) * time.Hour,
		SessionIdle:  time.Duration(e.number("SESSION_IDLE_MINUTES", 0, 0, maxIdleMinutes)) * time.Minute,
		ActivityDays: int(e.number("ACTIVITY_DAYS", defaultActivityDays, 1, maxActivityDays)),
	}
	if c.Seed != SeedDemo && c.Seed != SeedNone {
		e.want("SEED", SeedDemo+" or "+SeedNone, strconv.ErrSyntax)
	}
	c.readAddresses(&e)
	c.readWebhooks(&e)
	e.want("LOG_LEVEL", "debug, info, warn or error", c.LogLevel.UnmarshalText([]byte(e.text("LOG_LEVEL", "info"))))
	return c, e.err
}

// ReadProvider reads the configuration of sign-in by a provider, which only programs with an admin area
// need. An error names the wrong variable.
func (c *Config) ReadProvider(getenv func(string) string) (err error) {
	c.OIDC, err = oidc.FromEnv(getenv)
	return err
}

// readAddresses reads the addresses of the service and of its files.
func (c *Config) readAddresses(e *environment) {
	c.SiteURL = strings.TrimSuffix(e.text("SITE_URL", "http://localhost:"+c.Port), "/")
	c.MediaBaseURL = strings.TrimSuffix(e.text("MEDIA_BASE_URL", c.SiteURL+"/media"), "/")
	for _, former := range e.list("MEDIA_BASE_URL_FORMER") {
		c.MediaFormerURLs = append(c.MediaFormerURLs, strings.TrimRight(former, "/"))
	}
	if len(c.Proxies.Secrets) > 0 {
		u, err := url.Parse(c.SiteURL)
		if e.fail("SITE_URL", err); err == nil {
			c.Proxies.Host = u.Host
		}
	}
}

// readWebhooks reads how the service calls others.
func (c *Config) readWebhooks(e *environment) {
	var err error
	c.WebhookAllowInsecure, err = strconv.ParseBool(e.text("WEBHOOK_ALLOW_INSECURE", "false"))
	e.want("WEBHOOK_ALLOW_INSECURE", "true or false", err)
	for _, word := range e.list("WEBHOOK_RETRY_SCHEDULE") {
		wait, err := time.ParseDuration(word)
		e.want("WEBHOOK_RETRY_SCHEDULE", "waits such as 5s,5m,2h", err)
		c.WebhookRetrySchedule = append(c.WebhookRetrySchedule, wait)
	}
	for _, word := range e.list("UPLOAD_FROM_URL_ALLOW") {
		allowed, err := netip.ParseAddrPort(word)
		e.want("UPLOAD_FROM_URL_ALLOW", "addresses such as 127.0.0.1:8000", err)
		c.UploadFromURLAllow = append(c.UploadFromURLAllow, allowed)
	}
}

// Logger writes structured lines to standard error.
func (c Config) Logger() *slog.Logger {
	return slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: c.LogLevel}))
}
