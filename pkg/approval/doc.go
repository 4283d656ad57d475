// Package approval decides whether a change may show an entry to the public (extensions §14), and
// stores the reviews of entries. Package review has the use cases.
//
// Words: a review is the question whether a version of an entry may be published. An approval is the
// answer of one person. A version is that of the entry and the number of its draft's revision.
//
// What always holds: every save of an entry passes Change.Require, which content.SaveEntry calls.
// The approvals are checked in the transaction of the save, and they are for exactly what it
// publishes.
package approval
