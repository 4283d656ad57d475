// Package replay sends many finished deliveries of a subscription again: all of a time span, all
// that failed, or both.
//
// Word: a replay is one such task. A subscription has at most one running replay; the row of the
// latest is kept for 30 days.
//
// What always holds: each step makes some deliveries due and advances the replay's position in one
// transaction. So each delivery is sent again exactly once, even after a crash. A timer continues
// an interrupted replay. The number of waiting deliveries of a replay is limited, so that it does
// not delay others.
package replay
