// Package ahead shows the site as it will be (extensions §15): as of a time, with a release published,
// or with all drafts. It makes the links to such previews, and lays the changes over the stored rows, so that
// every read finds them as if they had been made.
//
// Words:
//   - change: an entry as it is and as it will be.
//   - maker: who made the link. What the maker may not read stays as it is.
//
// What always holds: nothing is written. Packages that read entries need not know of it: they read from
// a table over which the rows are laid that the changes would write. These are made when a read first
// touches rows of the model: a link with many changes of other models costs little.
package ahead
