package passkeys

import (
	"encoding/json"
	"net/netip"
	"net/url"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"headless/pkg/access"
)

// Party is the relying party of WebAuthn, that is, the service as devices see it. A passkey belongs
// to the name of its host.
type Party struct{ web *webauthn.WebAuthn }

// NewParty returns the relying party of a root URL. It is nil if the host is an IP address, since a
// passkey needs a host name.
func NewParty(siteURL string) *Party {
	u, err := url.Parse(siteURL)
	if err != nil {
		return nil
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return nil
	}
	web, err := webauthn.New(&webauthn.Config{
		RPID: u.Hostname(), RPDisplayName: "Headless", RPOrigins: []string{u.Scheme + "://" + u.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey:        protocol.ResidentKeyRequirementRequired,
			RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification:   protocol.VerificationRequired,
		},
		// Password managers send extensions that were not requested.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
	if err != nil {
		return nil
	}
	return &Party{web}
}

// owner is a user in the form that the library needs.
type owner struct{ access.User }

func (o owner) WebAuthnID() []byte          { return []byte(o.ID) }
func (o owner) WebAuthnName() string        { return o.Email }
func (o owner) WebAuthnDisplayName() string { return o.Email }

func (o owner) WebAuthnCredentials() []webauthn.Credential {
	list := make([]webauthn.Credential, len(o.Factors.Passkeys))
	for i, p := range o.Factors.Passkeys {
		c := p.Credential
		list[i] = webauthn.Credential{
			ID: c.ID, PublicKey: c.PublicKey,
			Flags:         webauthn.NewCredentialFlags(protocol.AuthenticatorFlags(c.Flags)),
			Authenticator: webauthn.Authenticator{AAGUID: c.AAGUID, SignCount: c.SignCount},
		}
		for _, t := range c.Transports {
			list[i].Transport = append(list[i].Transport, protocol.AuthenticatorTransport(t))
		}
	}
	return list
}

func toStored(c *webauthn.Credential) access.Credential {
	v := access.Credential{
		ID: c.ID, PublicKey: c.PublicKey, SignCount: c.Authenticator.SignCount,
		Flags: byte(c.Flags.ProtocolValue()), AAGUID: c.Authenticator.AAGUID,
	}
	for _, t := range c.Transport {
		v.Transports = append(v.Transports, string(t))
	}
	return v
}

// ceremony is the state between a challenge and its response.
type ceremony = webauthn.SessionData

// register starts a registration; options are for the browser.
func (p *Party) register(u access.User) (options any, begun *ceremony, err error) {
	var held []protocol.CredentialDescriptor
	for _, c := range (owner{u}).WebAuthnCredentials() {
		held = append(held, c.Descriptor())
	}
	created, begun, err := p.web.BeginRegistration(owner{u}, webauthn.WithExclusions(held))
	if err != nil {
		return nil, nil, err
	}
	return created.Response, begun, nil
}

// verifyRegistration verifies the response to a registration.
func (p *Party) verifyRegistration(u access.User, begun ceremony, answer []byte) (access.Credential, error) {
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return access.Credential{}, err
	}
	c, err := p.web.CreateCredential(owner{u}, begun, parsed)
	if err != nil {
		return access.Credential{}, err
	}
	return toStored(c), nil
}

// beginSignIn starts a sign-in without naming a user.
func (p *Party) beginSignIn() (options any, begun *ceremony, err error) {
	asked, begun, err := p.web.BeginDiscoverableLogin()
	if err != nil {
		return nil, nil, err
	}
	return asked.Response, begun, nil
}

// userOf returns the id of the user that a response names, "" if it names none.
func userOf(answer []byte) string {
	var v struct {
		Response struct {
			UserHandle protocol.URLEncodedBase64 `json:"userHandle"`
		} `json:"response"`
	}
	if json.Unmarshal(answer, &v) != nil {
		return ""
	}
	return string(v.Response.UserHandle)
}

// credentialOf returns the id of the credential that a response names, "" if it names none.
func credentialOf(answer []byte) string {
	var v struct {
		ID protocol.URLEncodedBase64 `json:"id"`
	}
	if json.Unmarshal(answer, &v) != nil {
		return ""
	}
	return string(v.ID)
}

// verifyAnswer verifies the response of a user's passkey. It returns the index of the passkey in the
// list, and its credential with the new counter.
func (p *Party) verifyAnswer(u access.User, begun ceremony, answer []byte) (at int, c access.Credential, err error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return 0, c, err
	}
	_, used, err := p.web.ValidatePasskeyLogin(func([]byte, []byte) (webauthn.User, error) {
		return owner{u}, nil
	}, begun, parsed)
	if err != nil {
		return 0, c, err
	}
	if used.Authenticator.CloneWarning {
		return 0, c, errCloned
	}
	for at, held := range u.Factors.Passkeys {
		if string(held.Credential.ID) == string(used.ID) {
			return at, toStored(used), nil
		}
	}
	return 0, c, errUnknown
}
