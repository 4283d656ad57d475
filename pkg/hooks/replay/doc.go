// Package replay sends many finished deliveries of a subscription again: those of a time span, or
// all that failed.
//
// Word: a replay is one such task. A subscription has one at a time; its row stays for 30 days.
//
// What always holds: each step makes some deliveries due and moves the replay past them in one
// transaction, so each is sent again once, whatever crashes. A timer brings an interrupted replay
// back. Only so many deliveries of a replay wait at a time that others are not held up.
package replay
