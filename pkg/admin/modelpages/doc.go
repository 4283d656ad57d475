// Package modelpages has the model builder, with a report of the effects of a change on entries,
// and the schema as one document.
package modelpages
