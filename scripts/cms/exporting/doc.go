// Package exporting is cms export: it writes the schema, the entries and the files of a service to
// a folder (package folder).
//
// An interrupted export continues where it stopped: resume.json in the folder says where.
package exporting
