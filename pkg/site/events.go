package site

import (
	"headless/pkg/cms"
	"headless/pkg/db"
)

// NoteLocales raises the event of a change of locales (extensions §16).
func NoteLocales(tx *db.Tx, actor cms.Actor, codes ...string) {
	tx.Event(actor, cms.EventLocalesUpdated, "", struct {
		Codes []string `json:"codes"`
	}{codes})
}

// NoteSchema raises the event of a change of models and forms, named by their slugs (extensions §16).
func NoteSchema(tx *db.Tx, actor cms.Actor, models, forms []string) {
	tx.Event(actor, cms.EventSchemaUpdated, "", struct {
		Models []string `json:"models"`
		Forms  []string `json:"forms"`
	}{append([]string{}, models...), append([]string{}, forms...)})
}
