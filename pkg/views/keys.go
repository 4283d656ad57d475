package views

import "headless/pkg/db"

// Views are documents (see db.DocKey). Their ids begin with the id of their model.
//
//	access pattern                                   kind                                id
//	views of a model, all or one                     view                                <model id>#<view id>

const docKind = "view"

func docs(d *db.DB, modelID string) db.Docs[stored] {
	return db.Docs[stored]{DB: d, Kind: docKind, Prefix: modelID + "#"}
}
