// Package query has the parameters of a list: filters, sort orders, and the values of an entry that
// they compare.
//
//   - filter: a path, an operator and values to compare with, such as filter[data.price][lt]=5.
//   - sort field: a path and a direction.
//   - value: the value at a path of an entry, in a comparable form. Numbers compare exactly, as
//     decimals.
//
// The package parses and checks parameters, extracts values and matches entries against filters.
// Package index finds the entries.
package query
