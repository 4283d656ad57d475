// Package markdown parses the texts of richtext fields as CommonMark, and the blocks in them
// (extensions §12).
//
// Words:
//   - block: a fenced code block at the top level of a text, whose info string is "block <type>". Its
//     content is YAML: the values of the fields of that type. Only a richtext field with Fields has
//     blocks; in other texts such a fence is code.
//   - part: a piece of a text: either a block, or the Markdown between two blocks.
//
// What always holds:
//   - The Markdown of a part means the same alone as in its text: it has the link definitions that it
//     uses.
//   - Every function of this package agrees with package richtext about what a block is.
package markdown
