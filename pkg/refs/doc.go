// Package refs finds the entries and files that content refers to, in fields and in texts, and
// replaces these references. It reads content only; the use cases check whether a target exists.
//
// Words:
//   - reference: the id in a relation or media field, or a destination cms://entry/<id> or
//     cms://media/<id> in a richtext (extensions §12).
//   - destination: where a link, picture, link definition or autolink of a Markdown text leads to,
//     or the href or src of an HTML tag in it. Code has no destinations.
//   - target: the entry or file that a reference leads to.
//   - mention: an occurrence of a target in content: a reference, or the URL of a file in any text.
//
// What always holds:
//   - A text changes only in the bytes of the replaced destinations.
//   - Targets finds all that Of finds under any definition of the model.
//
// Markdown is parsed as CommonMark by goldmark, which also makes the HTML of texts, so both agree
// on what is a link.
package refs
