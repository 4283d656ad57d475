// Package usages shows where an entry or a file is used, and reads if_unused of a request that
// deletes one (extensions §6).
package usages
