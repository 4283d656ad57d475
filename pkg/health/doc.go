// Package health finds what is wrong with published entries (extensions §16): links to what readers
// cannot see, missing alternative texts, titles and descriptions for search engines, translations,
// entries that nobody looked after, and entries to which nothing refers.
//
// Words:
//   - finding: one thing that is wrong at one place of an entry.
//   - state: the row that says which rows were written for an entry, so that a check of it removes
//     exactly what no longer holds.
//   - holder: an entry or menu with a reference to a target, an entry or a file. Only entries that
//     readers see are holders.
//   - text: a title or description that entries of a locale may share.
//
// What always holds:
//   - A change adds timers to its own transaction (package recheck). Work handles them: it checks
//     entries again, each from its present content. So a check may be repeated, and may run twice at
//     the same time.
//   - A check first writes the rows of the entry's references and texts, then reads what it refers to
//     and who shares its texts. A target first changes, then checks its holders. So at least one of the
//     two sees the other.
//   - Each transaction of a check requires the state that it read, and leaves a state that names
//     exactly the rows that there are. A large entry takes several.
//   - What a change costs does not depend on the size of the site: an entry is checked by the rows of
//     its own references. Holders are checked in pages, each of which sets the timer of the next.
package health
