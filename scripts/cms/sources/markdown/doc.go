// Package markdown reads a folder of Markdown files with front matter as entries of one model.
//
// Keys of the front matter become fields of the same name; some, such as title, slug and date, are
// keys that every entry has. Images in the folder become media files. Files that differ only in
// their locale are a translation group.
package markdown
