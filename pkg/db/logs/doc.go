// Package logs reads the activity log and the request log, which package db writes: an activity in
// the transaction of its change, a request after it was answered.
//
// A log is spread over months and shards, and ordered by time. No index finds the lines that match a
// filter, so a list with filters reads lines from the newest on, up to a bound, and its cursor
// continues there.
package logs
