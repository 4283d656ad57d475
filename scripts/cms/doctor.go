package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
)

// maxSkew is how far the clocks of this machine and the service may differ: signatures of webhooks
// and codes of second factors hold a little longer.
const maxSkew = 30 * time.Second

// maxWait is the age of an event that no worker has dispatched from which the service needs a look.
const maxWait = 15 * time.Minute

func doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check a service and the access to it", Args: cobra.NoArgs,
		Long: "Check whether the service answers, what its clock shows, what the token may do, and what of its " +
			"configuration is\n" +
			"missing or stopped. A line starts with ok, or with note for advice, or with fail; the exit code is 1 if one " +
			"failed.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			d := &doctor{}
			if d.Client, d.signIn = client.Connect(command.Profile(cmd)); d.Client == nil {
				d.fail("%v", d.signIn)
				d.gone = true
			}
			for _, check := range []func(){d.reachable, d.token, d.siteURL, d.webhooks, d.work, d.publishable} {
				if d.gone {
					break
				}
				check()
			}
			if d.failed > 0 {
				return command.Failed(fmt.Errorf("checks that failed: %d", d.failed))
			}
			return nil
		},
	}
}

// doctor runs checks of a service and prints one line for each.
type doctor struct {
	*client.Client
	signIn error // of the sign-in by a password
	failed int
	gone   bool // the service is unknown or does not answer, so nothing else can be checked
}

func (d *doctor) okLine(format string, args ...any)   { printLine("ok    ", format, args) }
func (d *doctor) noteLine(format string, args ...any) { printLine("note  ", format, args) }

func (d *doctor) fail(format string, args ...any) {
	d.failed++
	printLine("fail  ", format, args)
}

func printLine(kind, format string, args []any) {
	fmt.Fprintf(command.Stdout, kind+format+"\n", args...)
}

// get reads data of the admin area. ok is false if the token may not read it, which is no fault,
// or if the request failed.
func (d *doctor) get(path string, into any) (ok bool) {
	err := d.JSON(http.MethodGet, path, nil, into)
	var refused *client.Error
	switch {
	case err == nil:
		return true
	case errors.As(err, &refused) && (refused.Code == "FORBIDDEN" || client.IsUnknown(err)):
		d.noteLine("%s: the token may not read it. %s", path, refused.Message)
	default:
		d.fail("%s: %v", path, err)
	}
	return false
}

func (d *doctor) reachable() {
	started := time.Now()
	resp, err := (&http.Client{Timeout: 10 * time.Second}).Get(strings.TrimSuffix(d.Root, "/") + "/api/v1/i18n/locales")
	if err != nil {
		d.fail("%s does not answer: %v", d.Root, err)
		d.gone = true
		return
	}
	resp.Body.Close()
	took := time.Since(started)
	if resp.StatusCode != http.StatusOK {
		d.fail("%s answers with %s: is it the address of the service?", d.Root, resp.Status)
		d.gone = true
		return
	}
	d.okLine("%s answers in %s", d.Root, took.Round(time.Millisecond))
	switch own, its := ownVersion(), resp.Header.Get("X-Service-Version"); its {
	case "": // a proxy drops it
	case own:
		d.okLine("cms and the service have the version %s", own)
	default:
		d.noteLine("cms has the version %s, the service %s", own, its)
	}
	if at, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		skew := time.Since(at).Round(time.Second)
		if skew.Abs() > maxSkew {
			d.fail("the clock of this machine and that of the service differ by %s", skew)
			return
		}
		d.okLine("the clocks agree")
	}
}

func (d *doctor) token() {
	var me struct{ Email, Role string }
	err := d.signIn
	if err == nil {
		err = d.JSON(http.MethodGet, "/admin/me", nil, &me)
	}
	if err != nil {
		d.fail("the sign-in is refused, run cms login %s: %v", d.Root, err)
		d.gone = true
		return
	}
	d.okLine("signed in as %s with the role %s", me.Email, me.Role)
}

func (d *doctor) siteURL() {
	var settings []struct {
		Group, Key string
		Value      json.RawMessage
	}
	if !d.get("/admin/settings", &settings) {
		return
	}
	for _, s := range settings {
		if s.Group == "site" && s.Key == "url" && len(s.Value) > 2 {
			d.okLine("site.url is %s", s.Value)
			return
		}
	}
	d.noteLine("the setting site.url is not set: addresses of entries are paths, " +
		"and sitemaps have the address of the service")
}

func (d *doctor) webhooks() {
	var hooks []struct {
		Name         string
		IsActive     bool    `json:"is_active"`
		PausedReason *string `json:"paused_reason"`
	}
	if !d.get("/admin/webhooks", &hooks) {
		return
	}
	stopped := 0
	for _, h := range hooks {
		if !h.IsActive && h.PausedReason != nil && *h.PausedReason != "" {
			d.fail("the webhook %q was paused: %s", h.Name, *h.PausedReason)
			stopped++
		}
	}
	if stopped == 0 {
		d.okLine("%d webhooks, none was paused by the service", len(hooks))
	}
}

// work looks at the work behind requests: events for webhooks and mails.
func (d *doctor) work() {
	var home struct {
		Webhooks *struct { // nil for roles that do not see webhooks
			OldestEvent *time.Time `json:"oldest_event"`
			DeadLetters int        `json:"dead_letters"`
		}
	}
	if !d.get("/admin/", &home) || home.Webhooks == nil {
		return
	}
	oldest := home.Webhooks.OldestEvent
	switch {
	case home.Webhooks.DeadLetters > 0:
		d.fail("messages in the queue of dead letters: %d", home.Webhooks.DeadLetters)
	case oldest != nil && !oldest.IsZero() && time.Since(*oldest) > maxWait:
		d.fail("an event waits to be dispatched since %s", oldest.Format(time.RFC3339))
	default:
		d.okLine("no event waits for webhooks or mail")
	}
}

// publishable looks at the keys of browsers and, for the first one, at the cache before them.
func (d *doctor) publishable() {
	key := ""
	err := client.Each(d.Client, "/admin/keys", url.Values{}, func(k map[string]any) error {
		if k["kind"] == "publishable" {
			key, _ = k["public_key"].(string)
		}
		return nil
	})
	if err != nil || key == "" {
		d.noteLine("no publishable key is visible: browsers and CDNs need one to read the delivery API")
		return
	}
	resp, err := http.Get(strings.TrimSuffix(d.Root, "/") + "/delivery/v1/" + url.PathEscape(key) + "/i18n/locales")
	if err != nil {
		d.fail("the delivery API does not answer: %v", err)
		return
	}
	resp.Body.Close()
	switch cached := resp.Header.Get("X-Cache"); {
	case resp.StatusCode != http.StatusOK:
		d.fail("the delivery API answers with %s to a publishable key", resp.Status)
	case cached == "":
		d.noteLine("the delivery API answers without a cache at this address: use the address of the CDN in browsers")
	default:
		d.okLine("the delivery API answers a publishable key (cache: %s)", cached)
	}
}
