package views

import "headless/pkg/db"

// Views are documents (see db.DocKey); those of a model are a part of the kind.
//
//	access pattern                                   kind                                id
//	views of a model, all or one                     view                                <model id>#<view id>

const docKind = "view"

func docs(d *db.DB, modelID string) db.Docs[View] {
	return db.Docs[View]{DB: d, Kind: docKind, Prefix: modelID + "#"}
}
