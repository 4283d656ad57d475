// Package usages is for what may be in the way of deleting or unpublishing: it shows where an entry or a file
// is used, and makes changes with children (extensions §13).
package usages
