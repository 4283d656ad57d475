// Package query has what a list is asked by: filters, sort orders, and the values of an entry that
// they compare.
//
//   - filter: a path, an operator and the values asked for, such as filter[data.price][lt]=5.
//   - sort field: a path and a direction.
//   - value: what stands at a path of an entry, in a form that compares. Numbers compare exactly, as
//     decimals.
//
// It reads and checks parameters, and says what an entry has and whether it matches. Package index
// finds the entries.
package query
