// Package assets stores media files and their folders. It handles uploads through the service,
// direct uploads, the replacement of content, and variants of images.
//
// Words:
//   - asset: the record of a file. Its object in the blob store has the key media/<id>.
//   - direct upload: a file that the client sends directly to the blob store, under a key that is
//     not public, until the upload is completed.
//   - check: a row with a time. At that time the sweeper removes the object if it has no record.
//   - edition: the number of a file's content, counted from 1. From the second on, it is the
//     parameter v of the file's URL.
//   - variant: an image made from another one, with a size and a format.
//
// What always holds:
//   - A check is written before its object, and removed in the transaction that creates the
//     record. So every object without a record is removed.
//   - The content of a file is inspected before it becomes public. The type depends on the content,
//     not on what the client says.
//
// Package assets/upload reads uploads; assets/inspect reads the content of files;
// assets/picture makes variants, assets/webp writes lossy WebP, and assets/images serves variants.
package assets
