// Package planpages has the pages of what happens later or behind: schedules, releases, the
// calendar of planned changes, and jobs over many entries.
package planpages
