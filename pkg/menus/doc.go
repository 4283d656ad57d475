// Package menus keeps the menus of the site: for each locale a tree of items that lead to entries or
// other addresses (extensions §13).
//
// What always holds:
//   - An item leads to an entry or to an address, or is a heading.
//   - A save that adds an entry to a menu fails if the entry is deleted at the same time.
//   - Every change touches the tag of the menu in its transaction, and raises menu.updated.
package menus
