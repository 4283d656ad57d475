// Package oidc holds the configuration of sign-in by an OpenID Connect provider (extensions §11).
// Package provider below it does the work, with libraries that only the admin area links.
package oidc
