// Package redirects keeps where old addresses lead: the redirects that editors make, and the former
// slugs of entries (extensions §8).
//
// Words:
//   - redirect: an address of the site that leads to another, made in the admin area.
//   - former slug: a slug that an entry had while it was published.
//   - trail: an entry's former slugs, and where the entry is now.
//
// What always holds:
//   - No two redirects have the same from, and none closes a loop when it is saved.
//   - A former slug is written in the transaction that changes the slug. A slug of a model and
//     locale is in one trail at most: that of the entry that had it last.
//   - An entry has at most maxFormer former slugs; the oldest goes first.
//   - A trail goes with its entry, when that is deleted for good.
//   - Whatever changes an answer about redirects touches the tag redirects in the same transaction.
//
// It may import site, input, db and cms.
package redirects
