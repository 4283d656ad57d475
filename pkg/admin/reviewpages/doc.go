// Package reviewpages has the pages of reviews of entries, comments and tasks (extensions §14).
package reviewpages
