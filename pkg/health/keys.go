package health

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"headless/pkg/db"
	"headless/pkg/index/totals"
	"headless/pkg/recheck"
	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                             partition                         sort
//	state of an entry; all of a model          HEALTHSTATE#<model id>            <entry id>
//	state of a menu                            HEALTHSTATE#menus                 <slug>
//	holders of a target                        HEALTHREF#<target>                <model id>/<entry id>
//	entries that share a text                  HEALTHTEXT#<locale>#<kind>#<hash> <model id>/<entry id>
//	findings of a kind in a model, by time     HEALTH#<model id>#<kind>          <time><entry id><hash>
//	the same, ignored                          HEALTHOFF#<model id>#<kind>       <time><entry id><hash>

// menusID stands for a model's id in the keys of menus.
const menusID = "menus"

func statePartition(modelID string) string { return "HEALTHSTATE#" + modelID }

func stateKey(modelID, id string) table.Key {
	return table.Key{Partition: statePartition(modelID), Sort: id}
}

const refPrefix, textPrefix = "HEALTHREF#", "HEALTHTEXT#"

func refPartition(target string) string { return refPrefix + target }

func textPartition(locale string, kind Kind, text string) string {
	return textPrefix + locale + "#" + string(kind) + "#" + hashOf(text)
}

func holderKey(partition, modelID, id string) table.Key {
	return table.Key{Partition: partition, Sort: modelID + "/" + id}
}

func findingsPartition(modelID string, kind Kind, ignored bool) string {
	if ignored {
		return "HEALTHOFF#" + modelID + "#" + string(kind)
	}
	return "HEALTH#" + modelID + "#" + string(kind)
}

func findingKey(modelID, id string, f *Found) table.Key {
	return table.Key{Partition: findingsPartition(modelID, f.Kind, f.Ignored != nil),
		Sort: db.TimeBytes(f.Since.Time) + id + hashOf(f.Field)[:8]}
}

// counterOf counts the findings of a model by kind and locale, the ignored ones apart. The counters of all
// models have one space, so that one query reads them.
func counterOf(modelID string, f *Found) db.Counter {
	name := totals.Label + modelID + "/" + string(f.Kind) + "/" + f.Locale
	if f.Ignored != nil {
		name += ignoredEnd
	}
	return db.Counter{Space: recheck.Space, Name: name}
}

// ignoredEnd ends the names of the counters of ignored findings.
const ignoredEnd = "/off"

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

func cutHolder(sort string) (modelID, id string) {
	modelID, id, _ = strings.Cut(sort, "/")
	return modelID, id
}
