// Package folder keeps an export in a folder: schema.json, a file of JSON lines for each model and
// for media, and files/ with the bytes of files by their SHA-256.
//
// A file of lines gets its name only when it is complete. files/index.jsonl says which URL had
// which bytes, so that a repeated export downloads only what changed.
package folder
