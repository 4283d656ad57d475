// Package command holds what the commands of cms have in common: how their errors become exit
// codes, lists as tables or JSON, and the progress of long work.
//
// Results go to standard output, messages about the work to standard error.
package command
