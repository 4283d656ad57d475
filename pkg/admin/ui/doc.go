// Package ui holds what browsers show of the admin area: typed pages, their templates, style sheets
// and scripts. Handlers fill in a Page, and package frame renders it.
//
// What always holds: this package knows neither requests nor use cases. A Page contains everything
// that is shown, and nothing here loads more.
package ui
