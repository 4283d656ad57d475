// Package oidc has the configuration for sign-in with an OpenID Connect provider (extensions §11).
// Its subpackage provider implements the sign-in, with libraries that only the admin area links.
package oidc
