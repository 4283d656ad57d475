// Package usages helps to delete and unpublish: it shows where an entry or a file is used, and makes changes of
// entries that have children (extensions §13).
package usages
