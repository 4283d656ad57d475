package webhook

import (
	"net/netip"
	"strings"
	"testing"
)

func TestAllowedIP(t *testing.T) {
	const (
		never  = iota // refused under every policy
		local         // only when insecure
		always        // public
	)
	tests := map[string]int{
		"1.1.1.1": always, "93.184.215.14": always, "2606:4700:4700::1111": always,
		"2a00:1450:4001::1": always,
		"100.63.255.255":    always, "172.32.0.1": always, "198.20.0.1": always, "11.0.0.1": always,
		"127.0.0.1": local, "127.255.0.9": local, "::1": local,
		"0.0.0.0": never, "0.1.2.3": never, "::": never,
		"10.0.0.1": never, "172.16.0.1": never, "172.31.255.255": never, "192.168.1.1": never,
		"169.254.169.254": never, "169.254.170.2": never, "100.100.100.200": never, "192.0.0.192": never,
		"168.63.129.16": never, "fd00:ec2::254": never,
		"100.64.0.1": never, "100.127.255.255": never, "198.18.0.1": never, "198.19.255.255": never,
		"192.0.2.1": never, "198.51.100.1": never, "203.0.113.1": never, "192.88.99.1": never,
		"224.0.0.1": never, "239.255.255.250": never, "240.0.0.1": never, "255.255.255.255": never,
		"fe80::1": never, "fe80::1%eth0": never, "::1%lo": never, "2606:4700:4700::1111%eth0": never,
		"fc00::1": never, "fd12:3456::1": never, "fec0::1": never, "ff02::1": never, "ff0e::1": never,
		"::ffff:127.0.0.1": never, "::ffff:10.0.0.1": never, "::ffff:1.1.1.1": never,
		"::ffff:0:7f00:1": never,
		"::127.0.0.1":     never, "::1.1.1.1": never,
		"64:ff9b::7f00:1": never, "64:ff9b::a9fe:a9fe": never, "64:ff9b::101:101": never,
		"64:ff9b:1::1":  never,
		"2002:7f00:1::": never, "2002:a9fe:a9fe::1": never, "2002:101:101::1": never,
		"2001::1": never, "2001:0:4136:e378:8000:63bf:3fff:fdd2": never, "2001:2::1": never,
		"2001:20::1":  never,
		"2001:db8::1": never, "3fff::1": never, "100::1": never, "5f00::1": never,
	}
	for raw, want := range tests {
		addr := netip.MustParseAddr(raw)
		if got := (Policy{}).AllowedIP(addr); got != (want == always) {
			t.Errorf("%s: %v", raw, got)
		}
		if got := (Policy{AllowInsecure: true}).AllowedIP(addr); got != (want != never) {
			t.Errorf("%s, insecure: %v", raw, got)
		}
	}
	if (Policy{}).AllowedIP(netip.Addr{}) {
		t.Error("no address is allowed")
	}
}

func TestValidateURL(t *testing.T) {
	strict := Policy{OwnHosts: []string{"cms.example.com", "8.8.4.4", "[2606:4700::9]:443"}}
	open := Policy{AllowInsecure: true, OwnHosts: []string{"localhost:3000", "api.localhost"}}
	tests := []struct {
		url          string
		strict, open bool
	}{
		{"https://example.com", true, true},
		{"https://example.com/hook?a=b%20c", true, true},
		{"HTTPS://EXAMPLE.COM:443/", true, true},
		{"https://example.com:8443/", true, true},
		{"https://no-such-name.invalid/", true, true},
		{"https://bücher.example/", true, true},
		{"https://under_score.example/", true, true},
		{"https://example.com./", true, true},
		{"https://1.1.1.1/", true, true},
		{"https://[2606:4700:4700::1111]/", true, true},

		{"http://example.com/", false, true},
		{"https://example.com:80/", false, true},
		{"https://example.com:22/", false, true},
		{"https://localhost/", false, true},
		{"https://hooks.localhost./", false, true},
		{"https://api.localhost/", false, false},
		{"https://127.0.0.1/", false, true},
		{"http://127.0.0.1:9999/", false, true},
		{"https://[::1]/", false, true},

		{"", false, false},
		{"/hook", false, false},
		{"example.com", false, false},
		{"//example.com/", false, false},
		{"ftp://example.com/", false, false},
		{"file:///etc/passwd", false, false},
		{"https:example.com", false, false},
		{"https://", false, false},
		{"https://:443/", false, false},
		{"https://example.com:/", false, false},
		{"https://example.com:0/", false, false},
		{"https://example.com:99999/", false, false},
		{"https://example.com:443:443/", false, false},
		{"https://user@example.com/", false, false},
		{"https://user:pw@example.com/", false, false},
		{"https://@example.com/", false, false},
		{"https://example.com/#part", false, false},
		{"https://example.com/#", false, false},
		{"https://example.com\\@evil.example/", false, false},
		{"https://exa mple.com/", false, false},
		{"https://example.com/a b", false, false},
		{" https://example.com/", false, false},
		{"https://example.com/\n", false, false},
		{"https://exa%6dple.com/", false, false},
		{"https://.example.com/", false, false},
		{"https://a..b/", false, false},
		{"https://-a.example/", false, false},
		{"https://a*b.example/", false, false},
		{"https://" + strings.Repeat("a", 64) + ".example/", false, false},
		{"https://example.com/" + strings.Repeat("a", 2048), false, false},

		{"https://2852039166/", false, false},
		{"https://2130706433/", false, false},
		{"https://0xa9fea9fe/", false, false},
		{"https://0XA9FEA9FE/", false, false},
		{"https://0x/", false, false},
		{"https://0xa9.0xfe.0xa9.0xfe/", false, false},
		{"https://0251.0376.0251.0376/", false, false},
		{"https://0177.0.0.1/", false, false},
		{"https://127.1/", false, false},
		{"https://127.0.1/", false, false},
		{"https://1.1/", false, false},
		{"https://1.1.1.1./", false, false},
		{"https://01.1.1.1/", false, false},
		{"https://1.1.1.256/", false, false},
		{"https://example.0x7f/", false, false},
		{"https://１２７.０.０.１:1/", false, true}, // full-width digits: IDNA makes it 127.0.0.1
		{"https://①⑥⑨.254.169.254/", false, false},
		{"https://169.254.169.254/latest/meta-data/", false, false},
		{"http://169.254.169.254/latest/meta-data/", false, false},
		{"https://10.0.0.1/", false, false},
		{"http://192.168.1.1/", false, false},
		{"https://0.0.0.0/", false, false},
		{"https://[::]/", false, false},
		{"https://[::ffff:127.0.0.1]/", false, false},
		{"https://[::ffff:169.254.169.254]/", false, false},
		{"https://[64:ff9b::a9fe:a9fe]/", false, false},
		{"https://[fe80::1%25eth0]/", false, false},
		{"https://[::1%25lo]/", false, false},
		{"https://[fd00:ec2::254]/", false, false},
		{"https://[127.0.0.1]/", false, false},

		{"https://cms.example.com/", false, true},
		{"https://CMS.example.com.:8443/", false, true},
		{"https://ｃｍｓ.example.com/", false, true},
		{"https://8.8.4.4/", false, true},
		{"https://[2606:4700::9]/", false, true},
		{"https://[2606:4700::9]:8443/", true, true},
		{"http://localhost:3000/", false, false},
		{"http://127.0.0.1:3000/", false, false},
		{"http://127.8.8.8:3000/", false, false},
		{"http://[::1]:3000/", false, false},
		{"http://localhost:3001/", false, true},
	}
	for _, test := range tests {
		if err := ValidateURL(test.url, strict); (err == nil) != test.strict {
			t.Errorf("%q: %v", test.url, err)
		}
		if err := ValidateURL(test.url, open); (err == nil) != test.open {
			t.Errorf("%q, insecure: %v", test.url, err)
		}
	}
}
