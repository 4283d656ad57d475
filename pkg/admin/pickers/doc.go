// Package pickers lets a form choose related entries and files: from a list beside the field, by
// search, and also without JavaScript.
package pickers
