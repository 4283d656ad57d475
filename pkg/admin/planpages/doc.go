// Package planpages has the pages of planned changes and background work: schedules, releases, the
// calendar of planned changes, and jobs over many entries.
package planpages
