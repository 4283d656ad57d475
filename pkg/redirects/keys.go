package redirects

import "headless/pkg/table"

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	trails of a model, all or by entry               FORMER#<model id>                   <entry id>
//	entry that had a slug last                       HAD#<model id>#<locale>#<slug>      h
//	last change of the entries below one             ADDRESS#<entry id>                  b

// KindMove is the kind of the timers of moved entries. Their ref is <model id>/<entry id>/<version before>.
const KindMove = "move"

func trailPartition(modelID string) string { return "FORMER#" + modelID }

func trailKey(modelID, entryID string) table.Key {
	return table.Key{Partition: trailPartition(modelID), Sort: entryID}
}

const formerPrefix = "HAD#"

// formerKey is the key of the row that names the entry that had a slug last. keyLocale is the
// locale, or site.SharedLocale if the model is not localized.
func formerKey(modelID, keyLocale, slug string) table.Key {
	return table.Key{Partition: formerPrefix + modelID + "#" + keyLocale + "#" + slug, Sort: "h"}
}

// BelowKey is the key of a row that every entry rewrites that is put below another one. Package content/tree
// writes it, in the partition of the address.
func BelowKey(id string) table.Key { return table.Key{Partition: "ADDRESS#" + id, Sort: "b"} }
