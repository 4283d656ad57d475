// Package planpages has the pages of planned changes and background work: schedules, releases, the
// calendar of planned changes, and jobs over many entries, such as an import from a CSV file.
package planpages
