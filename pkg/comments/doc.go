// Package comments has the use cases of comments on entries in the admin area (extensions §14).
//
// Words: a thread is a first comment with its replies. A mention is "@" with the id of a user who may
// read the entry.
//
// What always holds: a comment is a row beside its entry and never changes the entry. Tasks of
// a thread are put and ended in the transaction of the change that causes it.
package comments
