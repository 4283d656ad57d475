// Package mentions finds where content leads to entries and files, and makes it lead elsewhere.
//
//   - reference: the id in a relation or media field.
//   - mention: a place that leads to a target: a reference, or the address of a file in any text.
//   - target: the entry or file that a mention leads to.
//
// It reads content only. Whether a target exists is for the use cases to see.
package mentions
