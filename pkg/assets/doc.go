// Package assets keeps media files and their folders: uploads through the service, direct uploads,
// replacing of content, variants of pictures.
//
// Words:
//   - asset: the record of a file. Its object in the blob store has the key media/<id>.
//   - direct upload: a file that the client sends to the blob store itself, to a key that is not
//     public, until it is completed.
//   - check: a row that says when to look whether an object has a record. Objects without one are
//     removed.
//   - variant: a picture made from another one, by size and format.
//
// What always holds:
//   - A check is written before an object is, and removed in the transaction that creates its
//     record. So no object is left behind.
//   - The content of a file is inspected before it becomes public; the type is what the content
//     says, not what the client said.
//
// Package assets/upload reads uploads, assets/inspect looks into files. It may import index, input,
// db, the blob port and these.
package assets
