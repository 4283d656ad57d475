// Package mentions finds the entries and files that content refers to, and replaces these mentions.
//
//   - reference: the id in a relation or media field.
//   - mention: an occurrence of a target in content: a reference, or the URL of a file in any text.
//   - target: the entry or file that a mention is about.
//
// The package reads content only. The use cases check whether a target exists.
package mentions
