// Package redirects stores where old URLs lead: the redirects that editors make, and the former
// slugs of entries (extensions §8).
//
// Words:
//   - redirect: a path of the site that leads to another URL, made in the admin area.
//   - former slug: a slug that an entry had while it was published, or while others stood below it in a tree.
//   - trail: an entry's former slugs, with its present slug and locale.
//
// What always holds:
//   - No two redirects have the same from; a slash at its end and escapes do not count. A redirect that
//     would close a loop is refused.
//   - A former slug is written in the transaction that changes the slug. A slug of a model and
//     locale is in one trail at most, the trail of the entry that had it last.
//   - An entry has at most maxFormer former slugs; beyond that the oldest is removed.
//   - The trail of an entry is removed when the entry is deleted for good.
//   - Every change that affects answers about redirects touches the tag redirects in its
//     transaction.
package redirects
