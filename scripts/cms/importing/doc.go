// Package importing is cms import. It imports an export, or the content of another system (package
// sources), which it first writes to a folder in the form of an export.
//
// An import can be repeated: records that exist and do not differ stay unchanged. A record that
// fails is named with the reason, and the others are imported.
package importing
