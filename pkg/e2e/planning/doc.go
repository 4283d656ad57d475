// Package planning has the scenarios of what happens later or in bulk: schedules, releases, jobs.
package planning
