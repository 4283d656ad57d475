// Package xliff writes the texts of entries for translators as XLIFF 2 files, and saves the
// translations in such files as drafts (extensions §3).
//
// A file has one file element for each entry, whose id is that of the entry, and one unit for each
// text, whose id is its path, such as data.blocks.0.heading. The first entry that shows a file has a unit
// for its alternative text, media-<id>. A richtext is Markdown, one segment for each paragraph.
// References and the frames of blocks in it are codes (ph), which translators cannot change by mistake.
//
// What always holds: no entry is published. The texts of one entry are saved together or not at all.
// Alternative texts are saved after them, since they belong to files, which have no drafts. A text in the
// file that was translated from another source than the present one is reported.
package xliff
