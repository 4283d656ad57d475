// Package viewcount counts the views of entries over 30 days (extensions §16).
//
// Words:
//   - view: a GET of /delivery/v1/{key}/seen?e=<id>, which a page sends when somebody opens it.
//   - batch: views that are added together, such as those of a log file.
//
// What always holds:
//   - Only numbers are stored: no address, no cookie and no time but the day.
//   - A view counts only if its key may read the entry, which is published.
//   - Nothing is counted while the setting views.enabled is off.
//   - A batch with a name is counted once, even if a crash makes the caller repeat it.
package viewcount
