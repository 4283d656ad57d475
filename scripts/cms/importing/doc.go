// Package importing is cms import: it takes what an export holds, or the content of another system
// (package sources), which it writes to a folder of the same form first.
//
// An import can be repeated: what is there already and does not differ stays as it is. A record
// that cannot be taken is named with its reason, and the rest is taken.
package importing
