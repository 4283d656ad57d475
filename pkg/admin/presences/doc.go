// Package presences says who else has an entry open.
package presences
