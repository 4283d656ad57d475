package presets

import "headless/pkg/db"

// Presets are documents (see db.DocKey). Their ids begin with the id of their model.
//
//	access pattern                                   kind                                id
//	presets of a model, all or one                   preset                              <model id>#<preset id>

const docKind = "preset"

func docs(d *db.DB, modelID string) db.Docs[stored] {
	return db.Docs[stored]{DB: d, Kind: docKind, Prefix: modelID + "#"}
}
