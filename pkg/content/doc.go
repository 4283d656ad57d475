// Package content stores entries: their drafts, slugs, unique values, revisions and trash, and the
// rows by which lists and searches find them. Package editing changes entries.
//
// Words:
//   - entry, draft, revision, slug, trash: as in package cms.
//   - manifest: the list of rows that were written for an entry in a generation of the index, so
//     that a change removes exactly these.
//   - stale: an entry is stale if the generation that is being built lacks its last change.
//   - claim: a row by which an entry reserves a slug or a unique value.
//
// What always holds:
//   - Entry, revision, claims, index rows, pending text and events of a save are one transaction.
//     For a large change, a second transaction makes the deletions, before the change is confirmed
//     (db.Rest).
//   - No two entries of a model and locale have the same slug, nor the same value of a unique
//     field.
//   - Lists and searches read one generation of the index, which is complete. Reindex builds the
//     next one at the same time; it may stop and start again anywhere.
//   - Permissions are checked when entries are read, and again by the commit.
//
// # What a save costs
//
// DynamoDB counts every started KB of a transaction twice. In write units, for content of 1.6 KB that
// has 14 indexed values:
//
//	                                                        create a draft  publish  one field
//	entry                                                                4        4          4
//	index rows of the new state, of the former one                      28   28, 28      28, 4
//	manifest, revision                                                2, 2     2, 2       2, 2
//	slug, address                                                     2, 2        2
//	text, values for filters and version                                 2        2          2
//	change of totals                                                     2        2          2
//	events, activity                                                  2, 2     2, 2       2, 2
//	line of the feed, purge, timer of package health                           2, 2, 2    2, 2, 2
//	check that the locales have not changed                              2        2          2
//	all                                                                 50       82         56
//
// An AWS function packs content from 1 KB on, the embedded server from 3 KB on. So this entry takes a
// function 2 units less, with each save.
//
// What lists, searches and addresses need at once takes 38 of the 50 units of a create, or 36 of a packed
// entry: entry 4, index rows 28, slug 2, revision 2, text 2. Six rows share the other 12; for 40 units
// all six would have to be one. A publication moves 14 index rows between spaces, which is 56 of its
// 82 units; 60 would leave 4 for the 12 other rows.
//
// Each of these would cost less at the price of a property:
//   - Index rows that a save of one field leaves as they are: lists would read entries consistently, and
//     filters would read each entry that the rows of another field lead to; see package index.
//   - A first revision that is written with the next save: 2 units less to create. While a new version is
//     deployed, a function of the version before would save the entry and lose that revision.
//   - Rows of the former state that are deleted behind the transaction, at half the price: 11 units
//     less to publish, with two round trips more, and lists that meet rows of an entry that has moved.
//   - Event, activity and feed in one row: readers would have to look at two places for a while.
package content
