// Package reviewpages has the pages of reviews of entries (extensions §14).
package reviewpages
