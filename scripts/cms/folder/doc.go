// Package folder keeps an export in a folder: schema.json, a file of JSON lines for each model and
// for media, and files/ with the bytes of files by their SHA-256.
//
// A file of lines has its name only when it is whole. files/index.jsonl says which address held
// which bytes, so that a repeated export reads only what changed.
package folder
