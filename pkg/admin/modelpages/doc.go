// Package modelpages has the model builder, with a report of what a change does to entries, and the
// schema as one document.
package modelpages
