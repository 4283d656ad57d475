// Package presence records which users have an entry open in the admin area.
//
// Words:
//   - window: one browser page that has an entry open. It chooses its own id.
//
// What always holds:
//   - A window that has not announced itself for the duration stay counts as closed. Its row
//     expires by itself.
//   - Nothing else depends on these rows. A lost row is written again when its window announces
//     itself next.
package presence
