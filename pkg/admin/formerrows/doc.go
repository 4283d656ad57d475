// Package formerrows puts rows of former versions of an entry back among its present rows.
package formerrows
