// Package presences has the routes that say who else has an entry open.
package presences
