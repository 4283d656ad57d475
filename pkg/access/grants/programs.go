package grants

import (
	"cmp"
	"context"
	"encoding/json"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"headless/pkg/access/tries"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/table"
)

// The limits of programs (extensions §17).
const (
	registerLimit = 20             // registrations of a network in an hour
	unusedTime    = 24 * time.Hour // after which a program that nobody has allowed anything is deleted
	maxMetadata   = 5 << 10        // bytes of a metadata document
	metadataTime  = 5 * time.Second
	maxRedirects  = 10
	maxAddress    = 2000 // bytes of an address
	maxName       = 100  // characters of a name
)

// Program is a program as registered, or as its metadata document describes it.
type Program struct {
	ID        string   `json:"client_id"`
	Name      string   `json:"client_name"`
	Redirects []string `json:"redirect_uris"`
	CreatedAt cms.Time `json:"created_at"`
	Used      bool     `json:"used"` // a user has allowed it something
}

// putIn stores a registered program. Nothing in it changes but Used, so no version is compared.
func (p Program) putIn(tx *db.Tx) {
	item := table.Item{Key: programKey(p.ID), Version: 1, Body: db.Pack(p)}
	if !p.Used {
		item.Expires = p.CreatedAt.Add(unusedTime).Unix()
	}
	tx.Put(item)
}

// keepFromNowOn keeps a registered program from now on.
func (p Program) keepFromNowOn(tx *db.Tx) {
	if !IsAddress(p.ID) && !p.Used {
		p.Used = true
		p.putIn(tx)
	}
}

// Register stores a program (RFC 7591). Errors: *Refusal; RATE_LIMITED above 20 an hour from a
// network.
func (s *Grants) Register(ctx context.Context, network string, metadata []byte) (Program, error) {
	p, err := parseProgram(metadata)
	if err != nil {
		return Program{}, err
	}
	ok, err := tries.Limits{DB: s.DB}.Network(ctx, "programs", network, registerLimit, time.Hour)
	if err == nil && !ok {
		err = &cms.Error{Code: cms.CodeRateLimited, RetryAfter: time.Hour, Limit: registerLimit,
			Message: "Too many programs were registered from your network. Try again in an hour."}
	}
	if err != nil {
		return Program{}, err
	}
	tx := s.DB.Begin()
	p.ID, p.CreatedAt, p.Used = uuid.NewString(), tx.At(), false
	p.putIn(tx)
	return p, s.DB.Commit(ctx, tx)
}

// IsAddress reports whether a client id is the URL of a metadata document.
func IsAddress(clientID string) bool {
	return strings.HasPrefix(clientID, "https://") || strings.HasPrefix(clientID, "http://")
}

// Program reads a registered program, or fetches the metadata document that a client id names.
// Errors: *Refusal.
func (s *Grants) Program(ctx context.Context, clientID string) (Program, error) {
	if IsAddress(clientID) {
		return s.fetch(ctx, clientID)
	}
	p, _, err := db.Read[Program](ctx, s.DB, programKey(clientID))
	if err == nil && !p.Used && s.DB.Now().Sub(p.CreatedAt.Time) >= unusedTime {
		err = db.ErrNotFound
	}
	return p, db.Missing(err, errNoProgram)
}

// fetch reads a metadata document. Its client_id must be its own URL.
func (s *Grants) fetch(ctx context.Context, address string) (Program, error) {
	u, err := url.Parse(address)
	if err != nil || len(address) > maxAddress || u.Host == "" || u.User != nil || u.Fragment != "" ||
		strings.Trim(u.Path, "/") == "" || slices.ContainsFunc(strings.Split(u.Path, "/"), isDots) {
		return Program{}, refuseAs("invalid_client", "The client id is no valid URL of a metadata document.")
	}
	ctx, cancel := context.WithTimeout(ctx, metadataTime)
	defer cancel()
	raw, err := s.Fetch(ctx, address, maxMetadata)
	if err != nil {
		return Program{}, refuseAs("invalid_client", "The metadata document of the program was not read. "+err.Error())
	}
	p, err := parseProgram(raw)
	if err == nil && p.ID != address {
		err = refuseAs("invalid_client", "The client_id in the metadata document is not its own URL.")
	}
	return p, err
}

func isDots(segment string) bool { return segment == "." || segment == ".." }

// parseProgram reads the metadata of a program (RFC 7591 §2). What else it has is ignored.
func parseProgram(metadata []byte) (Program, error) {
	var p Program
	if err := json.Unmarshal(metadata, &p); err != nil {
		return p, refuseAs("invalid_client_metadata", "The metadata must be a JSON object with the texts "+
			"client_name and redirect_uris.")
	}
	if len(p.Redirects) == 0 || len(p.Redirects) > maxRedirects {
		return p, refuseAs("invalid_redirect_uri", "redirect_uris must have 1 to 10 addresses.")
	}
	for _, address := range p.Redirects {
		if !validRedirect(address) {
			return p, refuseAs("invalid_redirect_uri", "A redirect URI must start with https://, be http on "+
				"127.0.0.1, [::1] or localhost, or have a scheme with a period, and must have no fragment.")
		}
	}
	name := cmp.Or(input.ShownName(p.Name, maxName), "A program")
	return Program{ID: p.ID, Name: name, Redirects: p.Redirects}, nil
}

// validRedirect reports whether a program may be answered at an address (RFC 8252 §7).
func validRedirect(address string) bool {
	u, err := url.Parse(address)
	if err != nil || len(address) > maxAddress || u.User != nil || strings.Contains(address, "#") ||
		strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r == '\\' || r >= 0x7f }) {
		return false
	}
	switch u.Scheme {
	case "https":
		return u.Hostname() != ""
	case "http":
		return isLoopback(u.Hostname())
	}
	return strings.Contains(u.Scheme, ".")
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// MayRedirect reports whether the program may be answered at an address: exactly one of its own, or
// http on loopback that differs in the port only.
func (p Program) MayRedirect(address string) bool {
	return slices.ContainsFunc(p.Redirects, func(own string) bool {
		return own == address || withoutPort(own) != "" && withoutPort(own) == withoutPort(address)
	})
}

// withoutPort returns an http address on loopback without its port; "" for all others.
func withoutPort(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || !isLoopback(u.Hostname()) || !validRedirect(address) {
		return ""
	}
	u.Host = u.Hostname()
	return u.String()
}
