package app

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestFromEnv(t *testing.T) {
	from := func(pairs ...string) (Config, error) {
		return FromEnv(func(name string) string {
			if i := slices.Index(pairs, name); i >= 0 {
				return pairs[i+1]
			}
			return ""
		})
	}
	c, err := from()
	if err != nil || c.Port != "3000" || c.SiteURL != "http://localhost:3000" ||
		c.MediaBaseURL != "http://localhost:3000/media" || c.UploadMaxBytes != 4<<20 || c.SessionTime != 12*time.Hour ||
		c.SessionIdle != 0 || c.WebhookRetrySchedule != nil {
		t.Errorf("defaults: %+v, %v", c, err)
	}
	c, err = from("PORT", "8080", "SITE_URL", "https://cms.example.com/", "ORIGIN_VERIFY", "a, b", "TRUSTED_PROXIES",
		"10.0.0.0/8",
		"WEBHOOK_RETRY_SCHEDULE", "1s, 2m", "UPLOAD_FROM_URL_ALLOW", "127.0.0.1:8000", "MEDIA_BASE_URL_FORMER",
		"https://old.example.com/")
	if err != nil || c.Port != "8080" || c.MediaBaseURL != "https://cms.example.com/media" ||
		c.Proxies.Host != "cms.example.com" ||
		!slices.Equal(c.Proxies.Secrets, []string{"a", "b"}) ||
		!slices.Equal(c.Proxies.Trusted, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}) ||
		!slices.Equal(c.WebhookRetrySchedule, []time.Duration{time.Second, 2 * time.Minute}) ||
		!slices.Equal(c.UploadFromURLAllow, []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:8000")}) ||
		!slices.Equal(c.MediaFormerURLs, []string{"https://old.example.com"}) {
		t.Errorf("given: %+v, %v", c, err)
	}
	form := regexp.MustCompile(`(must be .+, not "|such as)`) // it says what would be right
	for name, wrong := range map[string][]string{
		"PORT": {"0", "65536", "http"}, "SEED": {"all"}, "UPLOAD_MAX_BYTES": {"-1", "4MB"}, "MAX_CONNECTIONS": {"0"},
		"SESSION_HOURS": {"0", "721"}, "SESSION_IDLE_MINUTES": {"-1", "1441"}, "ACTIVITY_DAYS": {"0", "3661"},
		"ADMIN_NETWORKS": {"here"}, "TRUSTED_PROXIES": {"there"}, "WEBHOOK_ALLOW_INSECURE": {"maybe"},
		"WEBHOOK_RETRY_SCHEDULE": {"1s,soon"}, "UPLOAD_FROM_URL_ALLOW": {"localhost"}, "LOG_LEVEL": {"loud"},
	} {
		for _, value := range wrong {
			if _, err := from(name, value); err == nil || !form.MatchString(err.Error()) ||
				!strings.HasPrefix(err.Error(), name+": ") {
				t.Errorf("%s=%s: %v", name, value, err)
			}
		}
	}
}
