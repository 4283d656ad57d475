package webhook

import (
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

const (
	maxURL  = 2048 // bytes
	maxHost = 253  // bytes
)

// ValidateURL checks a receiver's URL, as CheckURL and each attempt do. It must use https
// on port 443 or 8443 (policy may allow more), have no user info and no fragment, and not lead to
// the service itself. An IP address as the host must be public and in its usual notation. Names are
// not resolved; Client.CheckURL does that. The error's text may be shown to the user.
func ValidateURL(raw string, policy Policy) error {
	_, err := parseTarget(raw, policy)
	return err
}

// target is a URL that passed ValidateURL.
type target struct {
	url  *url.URL
	host string // ASCII, lower case, no final dot, no brackets
}

func parseTarget(raw string, policy Policy) (target, error) {
	if raw == "" {
		return target{}, errors.New("is required")
	}
	if len(raw) > maxURL {
		return target{}, errors.New("is too long")
	}
	u, err := url.Parse(raw)
	if err != nil || strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }) {
		return target{}, errors.New("is not a valid URL")
	}
	excepted := false
	if to, err := netip.ParseAddrPort(u.Host); err == nil {
		excepted = policy.excepts(to)
	}
	switch {
	case u.Scheme != "https" && !((policy.AllowInsecure || excepted) && u.Scheme == "http"):
		return target{}, errors.New("must start with https://")
	case u.Opaque != "" || u.Hostname() == "":
		return target{}, errors.New("must have a host")
	case u.User != nil:
		return target{}, errors.New("must not have a user name or password in it")
	case strings.Contains(raw, "#"):
		return target{}, errors.New("must not have a fragment (#)")
	}
	port, err := portOf(u)
	if err != nil || !policy.allowedPort(port) && !excepted {
		return target{}, errors.New("must use port 443 or 8443")
	}
	host, err := hostOf(u, policy, excepted)
	if err != nil {
		return target{}, err
	}
	if addr, err := netip.ParseAddr(host); policy.ownName(host, port) || err == nil && policy.ownAddr(addr, port) {
		return target{}, errors.New("must not be the service's own address")
	}
	return target{url: u, host: host}, nil
}

func portOf(u *url.URL) (uint16, error) {
	switch {
	case u.Port() != "":
		port, err := strconv.ParseUint(u.Port(), 10, 16)
		return uint16(port), err
	case strings.HasSuffix(u.Host, ":"):
		return 0, errors.New("empty port")
	case u.Scheme == "http":
		return 80, nil
	}
	return 443, nil
}

// hostOf returns the host in the form in which it is resolved, or an error that says why it is
// refused. excepted says that its IP address is allowed in any range.
func hostOf(u *url.URL, policy Policy, excepted bool) (string, error) {
	host := u.Hostname()
	for _, r := range host {
		if r < 0x80 {
			continue
		}
		// IDNA can map other letters to an ASCII name, even to an IP address, so the checks below
		// use its result.
		ascii, err := idna.Lookup.ToASCII(host)
		if err != nil {
			return "", errors.New("does not have a valid host name")
		}
		host = ascii
		break
	}
	if strings.HasPrefix(u.Host, "[") || numericHost(host) {
		addr, err := netip.ParseAddr(host)
		if err != nil {
			return "", errors.New("has an IP address that is not in the usual notation")
		}
		if !policy.AllowedIP(addr) && !excepted {
			return "", errors.New(refusedText)
		}
		return addr.String(), nil
	}
	host = plainHost(host)
	if !validName(host) {
		return "", errors.New("does not have a valid host name")
	}
	if isLocalhost(host) && !policy.AllowInsecure {
		return "", errors.New(refusedText)
	}
	return host, nil
}

// numericHost reports whether resolvers may take host for an IPv4 address, dotted or not: its last
// label is a decimal, octal or hexadecimal number.
func numericHost(host string) bool {
	labels := strings.Split(plainHost(host), ".")
	last := labels[len(labels)-1]
	if last == "" {
		return false
	}
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(last, "0123456789") == ""
}

func validName(host string) bool {
	if host == "" || len(host) > maxHost {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		ok := label != "" && len(label) <= 63 && label[0] != '-' && label[len(label)-1] != '-'
		if !ok || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	return true
}
