// Package pickers lets a form choose related entries and files: by a list beside the field, by
// search, and without a script.
package pickers
