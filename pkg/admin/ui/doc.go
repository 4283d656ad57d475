// Package ui holds what browsers see of the admin area: typed pages, their templates, style sheets
// and scripts. Handlers fill in a Page, and the frame renders it.
//
// What always holds: this package knows no request and no use case. A page says what it shows, and
// nothing here asks for more.
package ui
