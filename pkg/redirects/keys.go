package redirects

import "headless/pkg/table"

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	trails of a model, all or by entry               FORMER#<model id>                   <entry id>
//	entry that had a slug last                       HAD#<model id>#<locale>#<slug>      h

func trailPartition(modelID string) string { return "FORMER#" + modelID }

func trailKey(modelID, entryID string) table.Key {
	return table.Key{Partition: trailPartition(modelID), Sort: entryID}
}

// formerKey is where a slug leads to; keyLocale is the locale, or what models that are not
// localized have for it.
func formerKey(modelID, keyLocale, slug string) table.Key {
	return table.Key{Partition: "HAD#" + modelID + "#" + keyLocale + "#" + slug, Sort: "h"}
}
