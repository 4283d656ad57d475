// Package usages shows where an entry or a file is used, and reads the query parameter if_unused of
// requests that delete one (extensions §6).
package usages
