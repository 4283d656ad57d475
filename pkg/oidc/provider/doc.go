// Package provider signs users in by an OpenID Connect provider, with the authorization code flow
// and PKCE (extensions §11).
//
// Words:
//   - issuer: the address of the provider, which publishes the rest below
//     /.well-known/openid-configuration.
//   - flow: one sign-in under way, from Start to Finish. The browser keeps it in a cookie; nothing
//     is stored.
//
// What always holds:
//   - A flow ends in the browser that began it: the state in the address must be the one of its
//     cookie.
//   - An identity comes from a signed ID token of this issuer, for this client, with the nonce of
//     the flow.
//   - Nothing is asked over http but on loopback.
package provider
