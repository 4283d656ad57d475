// Package groups stores which entries of a model are translations of one another.
//
// Words:
//   - group: entries that are translations of one another, at most one per locale. Each is a
//     member.
//   - copy: the group stored beside each member, so that a read finds the other members from any of
//     them.
//   - sharing: which member's values, and which actor, last changed the values that all members
//     share.
//
// What always holds:
//   - A group and the copies beside its members change in one transaction.
//   - An entry in the trash remembers its group but is not a member.
//   - After a change of a group or of an original, the coverages of its members are updated before
//     the caller gets the answer. If that fails, a timer repeats it.
package groups
