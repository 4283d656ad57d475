// Package passkeys lets users sign in by passkeys (WebAuthn). A passkey is a key pair whose private
// half stays on the user's device. The device asks for a fingerprint, a face or a PIN.
//
// Words:
//   - ceremony: a registration or a sign-in, from the challenge to the response of the device.
//   - challenge: random bytes that a device signs.
//
// What always holds:
//   - A challenge is bound to the browser or session that asked for it, and is used once.
//   - The device has verified its user, so a passkey counts as both factors.
//   - The service stores public keys only.
package passkeys
