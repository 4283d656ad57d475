// Package usages is for what may be in the way of deleting or unpublishing: it shows where an entry or a file
// is used, reads the query parameter if_unused (extensions §6), and makes changes with children (§13).
package usages
