// Package provider signs users in with an OpenID Connect provider. It uses the authorization code
// flow with PKCE (extensions §11).
//
// Words:
//   - issuer: the URL of the provider, which publishes its configuration under
//     /.well-known/openid-configuration.
//   - flow: one sign-in, from Start to Finish. The browser keeps it in a cookie; nothing is stored.
//
// What always holds:
//   - A flow ends in the browser that started it: the state in the URL must be equal to that in its
//     cookie.
//   - An identity comes from a signed ID token of this issuer, for this client, with the nonce of
//     the flow.
//   - Requests use https, except on loopback.
package provider
