// Package settings changes the settings of a site: single values such as its name or its social
// accounts, with or without translations (specification §2.4). Package site stores them and returns
// the public ones.
//
// What always holds: an update stores all of its settings or none. The value of a private setting,
// which may be a secret, is in no activity record and in no event.
package settings
