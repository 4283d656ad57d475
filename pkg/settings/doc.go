// Package settings changes the settings of a site: single values such as its name or its social
// accounts, translated or not (specification §2.4). The room site keeps their items and answers
// what the public may read of them.
//
// What always holds: an update stores all that it lists or nothing, and the value of a private
// setting, which may be a secret, stands in no activity record and in no event.
//
// It may import site, input and db.
package settings
