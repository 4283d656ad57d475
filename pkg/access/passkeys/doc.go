// Package passkeys lets users sign in by passkeys (WebAuthn): key pairs whose private half stays on
// the user's device, which asks for a finger, a face or a PIN.
//
// Words:
//   - ceremony: a registration or a sign-in, from the challenge to the answer of the device.
//   - challenge: random bytes that a device signs.
//
// What always holds:
//   - A challenge is bound to the browser or session that asked for it, and is used once.
//   - The device has verified its user: a passkey counts as both factors.
//   - The service stores public keys only.
//
// It may import access, whose users have passkeys, input and db.
package passkeys
