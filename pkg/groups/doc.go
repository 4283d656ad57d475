// Package groups keeps which entries of a model are translations of one another.
//
// Words:
//   - group, member: entries that are translations of each other, at most one a locale.
//   - copy: the group as it is kept beside each member, so that a read finds the others from any.
//   - sharing: who changed last the values that all members have in common.
//
// What always holds:
//   - A group and the copies beside its members change in one transaction.
//   - An entry in the trash remembers its group but has no place in it.
//   - What a change of a group or of an original does to the coverages of its members is done
//     before the change is confirmed.
//
// It may import content, coverage, site, db and table.
package groups
